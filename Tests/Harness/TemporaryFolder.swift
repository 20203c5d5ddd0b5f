import Foundation

/// A folder of a test's own, which is gone with this value.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit {
    // What is left of it is the system's to remove.
    try? FileManager.default.removeItem(atPath: path)
  }
}
