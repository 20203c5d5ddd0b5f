import CSQLite

extension Database {
  /// Makes `column MATCH name(…)` search an R*Tree nearest first.
  ///
  /// `score` gets what stands in the brackets and a box, as lower and upper bounds by turns. It
  /// says how near the box comes, or nil where nothing in it is wanted. Boxes are gone into, and
  /// entries given, by rising score; for that, no box may score above one inside it. It runs on the
  /// database's own thread, and may not use the database.
  ///
  /// https://www.sqlite.org/rtree.html#the_new_style_sqlite3_rtree_query_callback_interface
  package func addNearestFirst(
    _ name: String,
    score:
      @escaping (
        _ parameters: UnsafeBufferPointer<Double>, _ box: UnsafeBufferPointer<Double>
      ) -> Double?
  ) throws(SQLiteError) {
    let context = Unmanaged.passRetained(Score(score)).toOpaque()
    // SQLite gives the context back through the last function, also where this fails.
    let result = sqlite3_rtree_query_callback(
      openHandle, name, { Score.answer($0) }, context,
      { context in context.map { Unmanaged<Score>.fromOpaque($0).release() } })
    if result != SQLITE_OK { throw error(result, "the R*Tree query \(name)") }
  }
}

/// Holds a Swift function for SQLite.
private final class Score {
  private let score: (UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>) -> Double?

  init(_ score: @escaping (UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>) -> Double?) {
    self.score = score
  }

  static func answer(_ query: UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 {
    guard let query, let context = query.pointee.pContext else {
      preconditionFailure("SQLite asks with the context that it was given")
    }
    let parameters = UnsafeBufferPointer(
      start: query.pointee.aParam, count: Int(query.pointee.nParam))
    let box = UnsafeBufferPointer(start: query.pointee.aCoord, count: Int(query.pointee.nCoord))
    let holder = Unmanaged<Score>.fromOpaque(context).takeUnretainedValue()
    if let score = holder.score(parameters, box) {
      query.pointee.eWithin = PARTLY_WITHIN
      query.pointee.rScore = score
    } else {
      query.pointee.eWithin = NOT_WITHIN
    }
    return SQLITE_OK
  }
}
