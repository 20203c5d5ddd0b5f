import Glibc

/// Why a file of keys is not taken: one sentence that names the file, without a full stop.
package struct KeyFileError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// There is a file already where one was to be made.
  package var isTaken = false

  package init(_ description: String) { self.description = description }

  /// What the operating system said.
  init(_ path: String, errno number: Int32) {
    description = "\(path): \(String(cString: strerror(number)))"
  }
}
