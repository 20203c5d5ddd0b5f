import Client
import Model
import Terminal
import Upkeep
import Wire

/// Has a running service write a copy of its store. It lies on the service's machine, where an ipc
/// endpoint needs no key.
///
/// A large store takes its time, and the service answers others meanwhile: so it is asked for
/// something small beside, and one that does not answer that stands still.
struct StoreCopyCall {
  private let store: Installation.Store
  private let session: Session
  /// For how long the copy may be made, and for how long nothing at all may be heard.
  private let timeoutMs: Int
  private let silenceMs: Int

  /// After so long a silence somebody who looks on is told what is waited for.
  private static let patienceMs = 2_000
  private static let mostSilenceMs = 10_000
  private static let questionMs = 1_000

  init(_ store: Installation.Store, _ session: Session) {
    self.store = store
    self.session = session
    timeoutMs = session.hasTimeout ? session.timeoutMs : Int(Limits.timeoutMs)
    silenceMs = min(timeoutMs, Self.mostSilenceMs)
  }

  /// The file.
  /// - Throws: `UpkeepError`, `Failure`, `CallError`: why there is none.
  func path() throws -> String {
    guard store.rpc.hasPrefix("ipc://") else {
      throw UpkeepError(
        .conflict,
        "\(store.name) runs, answers at \(store.rpc) alone, and is asked for a copy by ipc alone",
        hint: "add an ipc endpoint to its rpc and restart it, or stop it meanwhile")
    }
    let client = try Client(endpoints: [store.rpc], user: "", timeoutMs: timeoutMs)
    let copying = try client.start(CopyStoreRequest())
    try wait(for: copying, client)
    do throws(CallError) {
      return try client.finish(copying, as: CopyStoreResponse.self).path
    } catch {
      guard error.reason == .serviceUnreachable || error.reason == .deadlineExceeded else {
        throw error
      }
      throw silent("has not made a copy of \(store.file) in", timeoutMs)
    }
  }

  private func wait(for copying: PendingCall, _ client: Client) throws {
    var heardMs = ClientLoop.nowMs
    var isTold = false
    var question: PendingCall?
    var nextMs = heardMs
    while copying.outcome == nil {
      let now = ClientLoop.nowMs
      if case .success? = question?.outcome { heardMs = now }
      guard now - heardMs < silenceMs else { throw silent("has answered nothing for", silenceMs) }
      if now - heardMs >= Self.patienceMs, !isTold {
        isTold = true
        session.note("Waiting for \(store.name), which has the store open and answers nothing yet.")
      }
      if now >= nextMs {
        question = try client.start(GetInfoRequest(), timeoutMs: Self.questionMs)
        nextMs = now + Self.questionMs
      }
      try client.loop.step(untilMs: nextMs)
    }
  }

  /// Who it is that does not answer, and what to do.
  private func silent(_ what: String, _ milliseconds: Int) -> Failure {
    let time = DurationText.seconds(milliseconds: milliseconds)
    do {
      let process = try RunningProcess(store.name, at: store.rpc)
      return Failure(
        .unavailable, "\(store.name) (process \(process.processID)) \(what) \(time)",
        hint: "\(process.advice); --timeout gives it longer")
    } catch {
      return Failure(
        .unavailable,
        "another process has \(store.file) open, and no \(store.name) answers at \(store.rpc)",
        hint: "'fuser \(store.file)' tells which; try again when it has ended")
    }
  }
}
