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
  private var floor = Revisions()

  init(size: Int = 65_536) { written = GenerationalCache(size: size) }

  func revisions(of writer: Writer) -> Revisions {
    written.peek(writer)?.merged(with: floor) ?? floor
  }

  mutating func note(_ asOf: Revisions, of writer: Writer) {
    let known = written.peek(writer) ?? Revisions()
    for forgotten in written.set(known.merged(with: asOf), for: writer) {
      floor = floor.merged(with: forgotten.value)
    }
  }
}
