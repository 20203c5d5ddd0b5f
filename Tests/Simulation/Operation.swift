import Model
import Wire

/// Something that a customer wants: one call, however often it is sent.
final class Operation {
  let number: Int
  unowned let customer: Customer
  let method: Method
  let body: [UInt8]
  let key: ID?
  let user: String
  /// Looks at a success. Called for each one that arrives, also long after the customer went on.
  let check: (Answer) -> Void
  /// Looks at a refusal for a reason that depends on the call.
  let refused: (Answer) -> Void
  /// What the customer does next, once; nil: nothing was learned.
  var next: ((Answer?) -> Void)?
  var isFinished = false
  /// How often it was sent, and of how many of these it is not known what became of them.
  var attempts = 0
  var unknown = 0
  /// When it was sent first.
  var beganUs: Int64 = -1

  /// Of a check-in or check-out: what it wants, to find its effects by.
  var targets: [Target] = []
  /// The entries of the log that it has caused, as far as it was told.
  var claims: Set<UInt64> = []
  /// The first success.
  private var firstSuccess: (asOf: Revisions, body: [UInt8])?
  private var originals = 0

  /// Who was to be where, by whose wish.
  struct Target: Hashable {
    var user: String
    var person: ID
    var place: ID?
  }

  init(
    _ number: Int, _ customer: Customer, _ method: Method, _ body: [UInt8], key: ID?,
    check: @escaping (Answer) -> Void, refused: @escaping (Answer) -> Void
  ) {
    self.number = number
    self.customer = customer
    self.method = method
    self.body = body
    self.key = key
    user = customer.user
    self.check = check
    self.refused = refused
  }

  /// How many entries of the log it can have caused that it was not told of.
  var unclaimedAtMost: Int {
    guard unknown > 0 else { return 0 }
    return key == nil ? unknown * targets.count : max(0, targets.count - claims.count)
  }

  /// A retry is the same change: what is wrong with another success; nil: nothing.
  func faultOfRepeat(_ answer: Answer) -> String? {
    guard key != nil, method.isWrite else { return nil }
    defer { if firstSuccess == nil { firstSuccess = (answer.header.asOf, answer.body) } }
    if !answer.header.replayed { originals += 1 }
    if originals > 1 { return "carried out twice under one key" }
    guard let first = firstSuccess, method != .deleteProfile, method != .deleteLocation else {
      return nil
    }
    if first.body != answer.body { return "two responses to one key" }
    if first.asOf != answer.header.asOf { return "two states of one key" }
    return nil
  }
}

/// One sending of an operation, through one gateway.
final class Attempt {
  let operation: Operation
  let gateway: Node
  let incarnation: Int
  let connection: Connection
  let serial: UInt32
  let id: UInt64
  let sentUs: Int64
  let deadlineUs: Int64
  /// What it asked for with `at_least`, and what its caller has written through this gateway.
  let atLeast: Revisions
  let ownWrites: Revisions
  /// What ended it: an answer, or that nobody waited any longer.
  var isAnswered = false
  var isOver = false

  init(
    _ operation: Operation, on connection: Connection, id: UInt64, sentUs: Int64,
    deadlineUs: Int64, atLeast: Revisions, ownWrites: Revisions
  ) {
    self.operation = operation
    gateway = connection.server
    incarnation = connection.server.incarnation
    self.connection = connection
    serial = connection.serial
    self.id = id
    self.sentUs = sentUs
    self.deadlineUs = deadlineUs
    self.atLeast = atLeast
    self.ownWrites = ownWrites
  }
}

/// A response as it has arrived.
struct Answer {
  var header: ResponseHeader
  var body: [UInt8]
  var attempt: Attempt
  /// When it arrived.
  var atUs: Int64

  var code: Code { header.status?.code ?? .ok }
  var reason: String { header.status?.reason ?? "" }

  /// Whether the same call may succeed later.
  var isWorthARetry: Bool {
    [.unavailable, .resourceExhausted, .deadlineExceeded, .internal].contains(code)
  }
}
