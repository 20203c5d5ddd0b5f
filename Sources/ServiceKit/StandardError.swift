import Glibc

extension Log {
  /// A log on standard error, as whoever reads there wants it: with the time and the level's name
  /// on a terminal, with journald's priority where there is none, and without a time where journald
  /// reads (`JOURNAL_STREAM`, systemd.exec(5)).
  package static func onStandardError(
    level: Level, format: Format, environment: [String: String]
  ) -> Log {
    let isJournal = environment["JOURNAL_STREAM"] != nil
    return Log(
      level: level, format: format, showsPriority: isJournal || isatty(STDERR_FILENO) == 0,
      showsTime: !isJournal, write: writeToStandardError)
  }
}

/// A line in one write, so that those of two processes do not mix. What cannot be written is lost:
/// there is nobody left to tell.
func writeToStandardError(_ line: String) {
  var line = line
  line.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}
