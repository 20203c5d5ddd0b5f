import Keys

/// Whose keys are let in: reads the list again when its file has changed, at most once a second, or
/// when somebody asks for it.
struct Admission {
  /// The keys that this program lets in.
  private(set) var keys = AllowedKeys()
  private var file: AllowedKeysFile?
  /// A service lets in other processes of Muster, a gateway everybody else.
  private let peers: Bool
  private var nextLookUs = Int64.min
  private var nextEndMs: Int64?
  private let log: Log
  private static let lookUs: Int64 = 1_000_000
  private static let settleUs: Int64 = 100_000

  init(_ file: AllowedKeysFile?, peers: Bool, log: Log, at now: Moment) {
    self.file = file
    self.peers = peers
    self.log = log
    take(at: now)
  }

  private mutating func take(at now: Moment) {
    keys = file?.keys.only(peers: peers) ?? AllowedKeys()
    nextEndMs = keys.nextEndMs(afterMs: now.wallMs)
  }

  /// Whether other keys are let in from now on: the file has changed, or the time of one is over.
  mutating func hasChanged(at now: Moment, isAsked: Bool) -> Bool {
    guard file != nil, isAsked || now.monotonicUs >= nextLookUs else { return false }
    let hasEnded = nextEndMs.map { $0 <= now.wallMs } ?? false
    guard mustRead(at: now, isAsked) && read() || hasEnded else { return false }
    take(at: now)
    return true
  }

  private mutating func mustRead(at now: Moment, _ isAsked: Bool) -> Bool {
    let change = file?.look() ?? .none
    let pauseUs = change == .unsettled ? Self.settleUs : Self.lookUs
    nextLookUs = now.monotonicUs + pauseUs
    return isAsked || change == .settled
  }

  /// False: it is wrong, and the list that was holds.
  private mutating func read() -> Bool {
    do {
      try file?.read()
      log.notice(
        "allowed keys read",
        ["file": .text(file?.path ?? ""), "keys": .number(file?.keys.entries.count ?? 0)])
      return true
    } catch {
      log.error(
        "allowed keys not taken; those that were still hold", ["error": .text(error.description)])
      return false
    }
  }
}
