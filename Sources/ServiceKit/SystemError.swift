import Glibc

/// What the operating system refused, and of what.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// errno
  package let number: Int32
  package let what: String

  package init(number: Int32, what: String) {
    self.number = number
    self.what = what
  }

  package var description: String { "\(what): \(String(cString: strerror(number)))" }
}
