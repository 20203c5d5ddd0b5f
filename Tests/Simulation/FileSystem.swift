import CSQLite
import Glibc
import Model

/// The disks of a run as SQLite's own file system: `/disk/file`. It is SQLite's default one while
/// it is there, since that one gives SQLite its randomness.
final class FileSystem {
  static let name = "simulation"
  /// SQLite's extended codes are macros that Swift does not import.
  private static let shortRead = SQLITE_IOERR | 2 << 8

  var disks: [String: Disk] = [:]
  private let chance: Chance
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let methods: UnsafeMutablePointer<sqlite3_io_methods>
  private let cName: UnsafeMutablePointer<CChar>

  /// What SQLite keeps for an open file: its own part first.
  private struct OpenFile {
    var base: sqlite3_file
    var file: Unmanaged<Disk.File>?
  }

  init(_ chance: Chance) {
    self.chance = chance
    vfs = .allocate(capacity: 1)
    methods = .allocate(capacity: 1)
    cName = strdup(Self.name)
    methods.initialize(to: Self.ioMethods)
    vfs.initialize(to: Self.functions)
    vfs.pointee.zName = UnsafePointer(cName)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    let result = sqlite3_vfs_register(vfs, 1)
    precondition(result == SQLITE_OK, "SQLite refuses the simulated file system")
    // What it has drawn before belongs to another run.
    sqlite3_randomness(0, nil)
  }

  /// Every database on it has to be closed before.
  func close() {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    methods.deallocate()
    free(cName)
  }

  private func split(_ path: UnsafePointer<CChar>?) -> (disk: Disk, name: String)? {
    guard let path else { return nil }
    let parts = String(cString: path).split(separator: "/")
    guard parts.count == 2, let disk = disks[String(parts[0])] else { return nil }
    return (disk, String(parts[1]))
  }

  private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FileSystem {
    guard let data = vfs?.pointee.pAppData else { preconditionFailure("a VFS without its data") }
    return Unmanaged<FileSystem>.fromOpaque(data).takeUnretainedValue()
  }

  private static func file(_ pointer: UnsafeMutablePointer<sqlite3_file>?) -> Disk.File {
    let open = UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: OpenFile.self)
    guard let file = open?.pointee.file else { preconditionFailure("a file that is not open") }
    return file.takeUnretainedValue()
  }

  private func open(
    _ path: UnsafePointer<CChar>?, _ pointer: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32
  ) -> Int32 {
    let open = UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: OpenFile.self)
    open?.pointee.base.pMethods = nil
    guard let disk = path == nil ? disks.values.first : split(path)?.disk else {
      return SQLITE_CANTOPEN
    }
    let name = split(path)?.name
    guard let file = disk.open(name, create: flags & SQLITE_OPEN_CREATE != 0) else {
      return SQLITE_CANTOPEN
    }
    open?.pointee.file = Unmanaged.passRetained(file)
    open?.pointee.base.pMethods = UnsafePointer(methods)
    return SQLITE_OK
  }

  private func fill(_ room: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
    for index in 0..<Int(count) { room?[index] = CChar(truncatingIfNeeded: chance.next()) }
    return count
  }

  // MARK: - What SQLite calls

  private static var functions: sqlite3_vfs {
    var vfs = sqlite3_vfs()
    vfs.iVersion = 1
    vfs.szOsFile = Int32(MemoryLayout<OpenFile>.size)
    vfs.mxPathname = 256
    vfs.xOpen = { vfs, path, pointer, flags, outFlags in
      outFlags?.pointee = flags
      return FileSystem.of(vfs).open(path, pointer, flags)
    }
    vfs.xDelete = { vfs, path, syncsFolder in
      guard let (disk, name) = FileSystem.of(vfs).split(path) else { return SQLITE_OK }
      disk.delete(name, synced: syncsFolder != 0)
      return SQLITE_OK
    }
    vfs.xAccess = { vfs, path, _, result in
      let found = FileSystem.of(vfs).split(path).map { $0.disk.files[$0.name] != nil }
      result?.pointee = found == true ? 1 : 0
      return SQLITE_OK
    }
    vfs.xFullPathname = { _, path, count, out in
      guard let path, let out, strlen(path) < Int(count) else { return SQLITE_CANTOPEN }
      strcpy(out, path)
      return SQLITE_OK
    }
    vfs.xRandomness = { vfs, count, room in FileSystem.of(vfs).fill(room, count) }
    // Nobody waits here: a lock that is taken is a mistake.
    vfs.xSleep = { _, us in us }
    vfs.xCurrentTime = { _, days in
      days?.pointee = 2_460_000
      return SQLITE_OK
    }
    vfs.xGetLastError = { _, _, _ in 0 }
    return vfs
  }

  /// Without shared memory: with `locking_mode=EXCLUSIVE` SQLite keeps the index of the log in its
  /// own, and that is gone with the process.
  private static var ioMethods: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { pointer in
      UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: OpenFile.self)
        .pointee.file?.release()
      return SQLITE_OK
    }
    methods.xRead = { pointer, room, count, offset in
      guard let room else { return SQLITE_IOERR }
      let bytes = FileSystem.file(pointer).bytes
      let start = min(Int(offset), bytes.count)
      let found = min(Int(count), bytes.count - start)
      bytes.withUnsafeBytes { bytes in
        if found > 0, let from = bytes.baseAddress { memcpy(room, from + start, found) }
      }
      guard found < Int(count) else { return SQLITE_OK }
      memset(room + found, 0, Int(count) - found)
      return FileSystem.shortRead
    }
    methods.xWrite = { pointer, content, count, offset in
      let file = FileSystem.file(pointer)
      let bytes = UnsafeRawBufferPointer(start: content, count: Int(count))
      return file.disk.write(bytes, to: file, at: Int(offset))
    }
    methods.xTruncate = { pointer, count in
      let file = FileSystem.file(pointer)
      return file.disk.truncate(file, to: Int(count))
    }
    methods.xSync = { pointer, _ in
      let file = FileSystem.file(pointer)
      return file.disk.sync(file)
    }
    methods.xFileSize = { pointer, count in
      count?.pointee = sqlite3_int64(FileSystem.file(pointer).bytes.count)
      return SQLITE_OK
    }
    // One process, one connection: nobody else is there to be kept out.
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in Int32(Disk.blockBytes) }
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    return methods
  }
}
