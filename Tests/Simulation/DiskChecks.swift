import SQLite

/// What a database does on a disk that loses its power, one thing at a time; for each of them what
/// is wrong, or nil.
enum DiskChecks {
  private static let seeds: ClosedRange<UInt64> = 1...40

  static func run() -> [String?] { [keepsCommits(), losesUnsynced(), keepsWhatItShows()] }

  /// A database on a disk of its own, with a table of numbers.
  private final class Bench {
    let disk: Disk
    private let files: FileSystem
    private var database: Database?

    init(_ seed: UInt64) {
      let chance = Chance(seed: seed)
      files = FileSystem(chance.fork())
      disk = Disk(chance) { _ in }
      files.disks["disk"] = disk
    }

    func start() throws {
      let database = try Database(path: "/disk/test.db", vfs: FileSystem.name)
      self.database = database
      try database.execute("CREATE TABLE IF NOT EXISTS number (value INTEGER)")
    }

    func add(_ count: Int) throws {
      for value in 0..<count {
        try database?.execute("INSERT INTO number VALUES (\(value))")
      }
    }

    func count() throws -> Int {
      try database?.prepare("SELECT count(*) FROM number").first { $0.int(0) } ?? 0
    }

    func end(losesPower: Bool) {
      disk.stop()
      database?.close()
      database = nil
      if losesPower { disk.lostPower() } else { disk.lostProcess() }
    }

    func close() {
      end(losesPower: false)
      files.close()
    }
  }

  private static func each(_ body: (Bench) throws -> String?) -> String? {
    for seed in seeds {
      let bench = Bench(seed)
      defer { bench.close() }
      do {
        if let fault = try body(bench) { return "\(fault) (disk \(seed))" }
      } catch {
        return "\(error) (disk \(seed))"
      }
    }
    return nil
  }

  private static func keepsCommits() -> String? {
    each { bench in
      try bench.start()
      try bench.add(30)
      bench.end(losesPower: true)
      try bench.start()
      let count = try bench.count()
      return count == 30 ? nil : "of 30 commits a power cut leaves \(count)"
    }
  }

  /// The disk is as bad as it says: without syncs it loses something.
  private static func losesUnsynced() -> String? {
    var lost = 0
    let fault = each { bench in
      bench.disk.pretendsToSync = true
      try bench.start()
      try bench.add(30)
      bench.end(losesPower: true)
      do {
        try bench.start()
        if try bench.count() < 30 { lost += 1 }
      } catch {
        // What it has left is no database any more.
        lost += 1
      }
      return nil
    }
    return fault ?? (lost > 0 ? nil : "a disk that does not sync loses nothing")
  }

  /// What was written and not synced when a process was killed is either shown by the next one, and
  /// then outlives a power cut, or is not shown.
  private static func keepsWhatItShows() -> String? {
    var shown = 0
    let fault = each { bench in
      try bench.start()
      try bench.add(5)
      bench.disk.failingSyncs = 1
      do {
        try bench.add(1)
        return "a commit whose sync has failed is taken for done"
      } catch { bench.end(losesPower: false) }
      try bench.start()
      let before = try bench.count()
      if before == 6 { shown += 1 }
      bench.end(losesPower: true)
      try bench.start()
      let after = try bench.count()
      return before == after ? nil : "shows \(before) rows, and \(after) after a power cut"
    }
    return fault ?? (shown > 0 ? nil : "what was written and not synced is never shown")
  }
}
