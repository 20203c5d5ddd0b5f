import Model
package import Terminal

/// What the driver can ask of Muster.
package enum Operation: Int, CaseIterable, Sendable {
  /// Somebody goes to a place.
  case checkIn
  /// Somebody leaves.
  case checkOut
  /// Where somebody is.
  case status
  /// The first fifty people at a place, with their names.
  case who
  /// How many are where, for all places.
  case counts
  /// The fifty busiest places.
  case board
  /// Many go to places in one call.
  case batch
  /// A watch of a place, until it shows who is there.
  case watch

  /// As `--mix` and reports have it.
  package var name: String {
    switch self {
    case .checkIn: "check-in"
    case .checkOut: "check-out"
    case .status: "status"
    case .who: "who"
    case .counts: "counts"
    case .board: "board"
    case .batch: "batch"
    case .watch: "watch"
    }
  }

  /// The operation of this name; nil where there is none.
  package init?(name: some StringProtocol) {
    guard let known = Operation.allCases.first(where: { $0.name == name }) else { return nil }
    self = known
  }
}

/// Shares of the operations.
package struct Mix: Equatable, Sendable {
  /// Each at most once, with a weight above 0, in the order of the operations.
  package let weights: [(operation: Operation, weight: Int)]
  private let total: Int

  /// As `--mix` has it: "check-in=10,status=70"; a name alone has weight 1.
  package init(_ text: String) throws(UsageError) {
    var found: [Operation: Int] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      guard let operation = Operation(name: name) else {
        let names = Operation.allCases.map(\.name)
        let guess = Suggestion.nearest(to: name, among: names, limit: 1).first
        throw UsageError(
          "--mix has '\(name)', and there are \(names.joined(separator: ", "))",
          hint: guess.map { "did you mean '\($0)'?" } ?? "write it as check-in=10,status=90")
      }
      guard found[operation] == nil else { throw UsageError("--mix has \(name) twice") }
      guard let weight = sides.count == 1 ? 1 : Int(sides[1]), (1...1_000_000).contains(weight)
      else {
        throw UsageError(
          "--mix has '\(part)', and a share is a whole number above 0",
          hint: "write it as check-in=10,status=90")
      }
      found[operation] = weight
    }
    weights = Operation.allCases.compactMap { operation in
      found[operation].map { (operation, $0) }
    }
    total = weights.reduce(0) { $0 + $1.weight }
  }

  package static func == (a: Mix, b: Mix) -> Bool { a.text == b.text }

  /// As `--mix` has it.
  package var text: String {
    weights.map { "\($0.operation.name)=\($0.weight)" }.joined(separator: ",")
  }

  /// One of them, as often as its share is.
  func next(_ random: inout RandomSource) -> Operation {
    if weights.count == 1 { return weights[0].operation }
    var rest = random.below(total)
    for (operation, weight) in weights {
      if rest < weight { return operation }
      rest -= weight
    }
    preconditionFailure("the weights add up to their total")
  }
}
