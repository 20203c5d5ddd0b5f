/// Did you mean …?
package enum Suggestion {
  /// The candidates that somebody most likely meant, nearest first: at most a third of the longer
  /// of the two differs, or one continues the other. Letter case is passed over.
  package static func nearest(
    to word: String, among candidates: some Sequence<String>, limit: Int
  ) -> [String] {
    let wanted = Array(word.lowercased())
    guard !wanted.isEmpty else { return [] }
    var found: [(distance: Int, lengthChange: Int, candidate: String)] = []
    for candidate in candidates {
      let other = Array(candidate.lowercased())
      let allowed = max(1, max(wanted.count, other.count) / 3)
      if wanted.count >= 2, other.starts(with: wanted) {
        found.append((1, other.count - wanted.count, candidate))
      } else if abs(wanted.count - other.count) <= allowed {
        let distance = editDistance(wanted, other)
        if distance <= allowed, distance < max(wanted.count, other.count) {
          found.append((distance, abs(other.count - wanted.count), candidate))
        }
      }
    }
    found.sort {
      ($0.distance, $0.lengthChange, $0.candidate) < ($1.distance, $1.lengthChange, $1.candidate)
    }
    return found.prefix(limit).map(\.candidate)
  }

  /// How many insertions, deletions, replacements and exchanges of two neighbours lead from one to
  /// the other: Damerau and Levenshtein's distance in the form where no part is edited twice.
  package static func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      row.reserveCapacity(b.count + 1)
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(replaced, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, beforeLast[j - 2] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
