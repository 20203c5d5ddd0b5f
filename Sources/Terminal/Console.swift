import Glibc

/// The two streams of a program and what stands at their other ends. Data goes to standard output,
/// messages for people go to standard error.
package final class Console {
  /// When to colour.
  package enum Color: String, CaseIterable, Sendable { case auto, always, never }

  package let outputIsTerminal: Bool
  package let errorIsTerminal: Bool
  package let inputIsTerminal: Bool
  /// Columns of the terminal; 80 where there is none.
  package let width: Int
  /// Whether data is written in colour.
  package let hasColor: Bool
  private var buffer: [UInt8] = []

  /// `environment` is asked for NO_COLOR, COLUMNS and TERM.
  package init(color: Color, environment: [String: String]) {
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    errorIsTerminal = isatty(STDERR_FILENO) == 1
    inputIsTerminal = isatty(STDIN_FILENO) == 1
    width = Console.columns(environment)
    let forbidden =
      environment["NO_COLOR", default: ""] != "" || environment["TERM"] == "dumb"
    switch color {
    case .always: hasColor = true
    case .never: hasColor = false
    case .auto: hasColor = outputIsTerminal && !forbidden
    }
    // libsmartcols counts columns by the locale's characters; with none set, everything that is not
    // ASCII would be taken for unprintable.
    let hasLocale = setlocale(LC_CTYPE, "") != nil
    if !hasLocale || String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Adds data for standard output.
  package func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 64 * 1024 { flush() }
  }

  /// Adds bytes for standard output.
  package func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 64 * 1024 { flush() }
  }

  /// Sends what was written on its way. A reader that has gone ends the program by SIGPIPE.
  package func flush() {
    Console.send(buffer, to: STDOUT_FILENO)
    buffer.removeAll(keepingCapacity: true)
  }

  /// A line for a person, on standard error, after the data written so far.
  package func message(_ text: String) {
    flush()
    Console.send(Array("\(text)\n".utf8), to: STDERR_FILENO)
  }

  /// Text on standard error that the next one may write over.
  package func status(_ text: String) {
    Console.send(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Asks on the terminal; only "y" and "yes" are a yes.
  package func confirm(_ question: String) -> Bool {
    flush()
    status("\(question) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if sent > 0 {
        rest = rest.dropFirst(sent)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, 1000)
      } else if errno != EINTR {
        // Where standard error fails, there is nobody left to tell.
        guard descriptor == STDOUT_FILENO else { return }
        let reason = String(cString: strerror(errno))
        send(
          Array("muster: standard output cannot be written: \(reason)\n".utf8), to: STDERR_FILENO)
        // Data that is not whole must not look like data that is.
        exit(ExitCode.serverError.rawValue)
      }
    }
  }

  /// How large the terminal at standard output is now; nil where there is none, or it does not say.
  package var size: (columns: Int, rows: Int)? {
    guard let size = Console.size(of: STDOUT_FILENO), size.rows > 0 else { return nil }
    return size
  }

  /// Whether whoever read standard output has gone, which otherwise only the next write tells.
  package var outputIsGone: Bool {
    var asked = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&asked, 1, 0) > 0 && asked.revents & Int16(POLLERR | POLLHUP) != 0
  }

  private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static func columns(_ environment: [String: String]) -> Int {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      if let size = size(of: descriptor) { return size.columns }
    }
    return environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}
