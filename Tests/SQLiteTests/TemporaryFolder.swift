import Glibc

/// A folder of one test's own, gone with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/muster-sqlite-XXXXXX".utf8CString)
    // The template's bytes are ASCII, and without a folder no test can go on.
    path = String(cString: mkdtemp(&template)!)
  }

  deinit {
    // Only files are made in it.
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink("\(path)/\(name)")
      }
      closedir(folder)
    }
    rmdir(path)
  }

  /// A file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Every byte of one of its files; empty where there is none.
  func bytes(of name: String) -> [UInt8] {
    guard let stream = fopen(file(name), "r") else { return [] }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }
}
