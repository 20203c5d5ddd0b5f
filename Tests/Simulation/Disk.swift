import CSQLite

/// A disk as a database sees it: what is written is there at once for whoever reads, and stays only
/// once it was synced. It loses, fails and fills up when it is told to.
final class Disk {
  /// What a power cut keeps or loses as a whole, and a part of it that can be torn off.
  static let blockBytes = 4_096
  private static let sectorBytes = 512
  // SQLite's extended codes are macros that Swift does not import.
  private static let writeFailed = SQLITE_IOERR | 3 << 8
  private static let syncFailed = SQLITE_IOERR | 4 << 8
  private static let truncateFailed = SQLITE_IOERR | 6 << 8

  /// One file, as it is and as it would be after a power cut.
  final class File {
    unowned let disk: Disk
    /// As whoever reads sees it.
    fileprivate(set) var bytes: [UInt8] = []
    /// As a power cut leaves it.
    fileprivate var synced: [UInt8] = []
    /// Blocks that were written since the last sync.
    fileprivate var dirty: [Int] = []
    fileprivate var isDirty: [Bool] = []
    /// It is new: its first sync syncs the folder too, as SQLite's own file system has it for
    /// journals.
    fileprivate var isNew = true

    fileprivate init(_ disk: Disk) { self.disk = disk }
  }

  private(set) var files: [String: File] = [:]
  /// The folder as a power cut leaves it.
  private var syncedFiles: [String: File] = [:]
  private let chance: Chance
  /// Told of each fault that shows.
  private let injected: (Fault) -> Void

  /// A write that makes a file longer is refused.
  var isFull = false
  /// So many of the next writes, or syncs, fail.
  var failingWrites = 0
  var failingSyncs = 0
  /// After so many more writes and syncs the process dies in the middle of one; nil: it lives.
  var diesAfter: Int?
  /// It has died: nothing reaches the disk any more.
  private(set) var isDead = false
  /// A deliberate mistake: says that it has synced, and has not.
  var pretendsToSync = false
  /// How many syncs there were: each takes its time.
  private(set) var syncs = 0

  init(_ chance: Chance, injected: @escaping (Fault) -> Void) {
    self.chance = chance
    self.injected = injected
  }

  // MARK: - Ends of a process

  /// The process is dying: nothing that it writes from here on reaches the disk.
  func stop() { isDead = true }

  /// Nothing is wrong with it any more.
  func heal() {
    isFull = false
    failingWrites = 0
    failingSyncs = 0
    diesAfter = nil
  }

  /// The process is gone; the system has all that it has written.
  func lostProcess() {
    isDead = false
    diesAfter = nil
  }

  /// The power is gone: of what was not synced, any part may be there.
  func lostPower() {
    lostProcess()
    for name in Set(files.keys).union(syncedFiles.keys).sorted() {
      guard files[name] !== syncedFiles[name] else { continue }
      // The folder was not synced: it has the old entry or the new one.
      if chance.one(in: 2) { syncedFiles[name] = files[name] }
    }
    files = syncedFiles
    for name in files.keys.sorted() { files[name].map(tear) }
  }

  private func tear(_ file: File) {
    var result = file.synced
    for block in file.dirty.sorted() where chance.one(in: 2) {
      let start = block * Self.blockBytes
      var end = min(start + Self.blockBytes, file.bytes.count)
      if chance.one(in: 4), end > start {
        let sectors = (end - start + Self.sectorBytes - 1) / Self.sectorBytes
        end = min(end, start + chance.below(sectors) * Self.sectorBytes)
      }
      guard start < end else { continue }
      if result.count < end { result += Array(repeating: 0, count: end - result.count) }
      result.replaceSubrange(start..<end, with: file.bytes[start..<end])
    }
    file.bytes = result
    file.synced = result
    file.dirty = []
    file.isDirty = []
  }

  // MARK: - What SQLite does with it

  func open(_ name: String?, create: Bool) -> File? {
    guard let name else { return File(self) }
    if let file = files[name] { return file }
    guard create else { return nil }
    let file = File(self)
    files[name] = file
    return file
  }

  func delete(_ name: String, synced: Bool) {
    guard !isDead else { return }
    files[name] = nil
    if synced { syncedFiles[name] = nil }
  }

  /// Whether the process is to die now, or is dead: then nothing is written.
  private func dies() -> Bool {
    if isDead { return true }
    guard let left = diesAfter else { return false }
    diesAfter = left - 1
    if left <= 0 {
      isDead = true
      injected(.crashInWrite)
    }
    return isDead
  }

  func write(_ content: UnsafeRawBufferPointer, to file: File, at offset: Int) -> Int32 {
    if dies() { return Self.writeFailed }
    if failingWrites > 0 {
      failingWrites -= 1
      injected(.writeError)
      return Self.writeFailed
    }
    let end = offset + content.count
    if isFull && end > file.bytes.count {
      injected(.diskFull)
      return SQLITE_FULL
    }
    if file.bytes.count < end {
      file.bytes += Array(repeating: 0, count: end - file.bytes.count)
    }
    file.bytes.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end]).copyMemory(from: content)
    }
    mark(file, offset..<end)
    return SQLITE_OK
  }

  private func mark(_ file: File, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let last = (range.upperBound - 1) / Self.blockBytes
    if file.isDirty.count <= last {
      file.isDirty += Array(repeating: false, count: last + 1 - file.isDirty.count)
    }
    for block in range.lowerBound / Self.blockBytes...last where !file.isDirty[block] {
      file.isDirty[block] = true
      file.dirty.append(block)
    }
  }

  func truncate(_ file: File, to count: Int) -> Int32 {
    if dies() { return Self.truncateFailed }
    if count < file.bytes.count {
      file.bytes.removeSubrange(count...)
      file.dirty.removeAll { $0 * Self.blockBytes >= count }
      for block in file.isDirty.indices where block * Self.blockBytes >= count {
        file.isDirty[block] = false
      }
    }
    return SQLITE_OK
  }

  func sync(_ file: File) -> Int32 {
    if dies() { return Self.syncFailed }
    syncs += 1
    if failingSyncs > 0 {
      failingSyncs -= 1
      injected(.syncError)
      return Self.syncFailed
    }
    if pretendsToSync { return SQLITE_OK }
    if file.synced.count > file.bytes.count { file.synced.removeSubrange(file.bytes.count...) }
    if file.synced.count < file.bytes.count {
      file.synced += Array(repeating: 0, count: file.bytes.count - file.synced.count)
    }
    for block in file.dirty {
      let start = block * Self.blockBytes
      let end = min(start + Self.blockBytes, file.bytes.count)
      guard start < end else { continue }
      file.synced.withUnsafeMutableBytes { synced in
        file.bytes.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: synced[start..<end])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
      file.isDirty[block] = false
    }
    file.dirty.removeAll(keepingCapacity: true)
    if file.isNew { syncedFiles = files }
    file.isNew = false
    return SQLITE_OK
  }
}
