import ServiceKit
import Wire

/// How far each log has to have come for a caller to see what the caller has written through this
/// gateway. It is bounded: what is forgotten about one caller is asked for on behalf of all, which
/// is old by then and holds nobody up.
struct OwnWrites {
  /// By user, or without one by connection.
  enum Writer: Hashable {
    case user(String)
    case connection(Int)

    init(_ header: RequestHeader, connection: Int) {
      self = header.actingUser.isEmpty ? .connection(connection) : .user(header.actingUser)
    }
  }

  private var written: GenerationalCache<Writer, Revisions>
  /// What is known of the one that was asked about last, who mostly comes again.
  private var last: (writer: Writer, revisions: Revisions?)?
  private var floor = Revisions()

  init(size: Int = 65_536) { written = GenerationalCache(size: size) }

  mutating func revisions(of writer: Writer) -> Revisions {
    known(of: writer)?.merged(with: floor) ?? floor
  }

  private mutating func known(of writer: Writer) -> Revisions? {
    if let last, last.writer == writer { return last.revisions }
    let revisions = written.peek(writer)
    last = (writer, revisions)
    return revisions
  }

  mutating func note(_ asOf: Revisions, of writer: Writer) {
    var revisions = asOf
    let forgotten = written.update(writer, default: asOf) {
      revisions = $0.merged(with: asOf)
      $0 = revisions
    }
    last = (writer, revisions)
    for other in forgotten.values { floor = floor.merged(with: other) }
  }
}
