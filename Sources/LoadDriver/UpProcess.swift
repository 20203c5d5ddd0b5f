import Glibc

/// `muster up` as a child: the four processes on a data folder, until `stop`.
package final class UpProcess {
  /// Where calls are answered.
  package let endpoint: String
  package let data: String
  private let processID: pid_t
  private let output: UnsafeMutablePointer<FILE>
  private var isRunning = true

  /// Starts it and waits until it says that calls are answered. What it has to say besides goes to
  /// `log`.
  /// - Throws: `LoadFailure` where it does not come up.
  package init(program: String, data: String, log: String) throws(LoadFailure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw LoadFailure.system("there is no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    // A group of its own: the terminal's Ctrl-C is for us, who have a report to write first.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let line = [program, "up", "--data", data]
    let words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, &attributes, words, environ)
    close(ends[1])
    guard result == 0, let output = fdopen(ends[0], "r") else {
      throw LoadFailure("\(program) cannot be started: \(String(cString: strerror(result)))")
    }
    processID = child
    self.output = output
    self.data = data
    let said = UpProcess.line(output)
    guard said.hasPrefix("ready ") else {
      waitpid(child, nil, 0)
      isRunning = false
      fclose(output)
      throw LoadFailure("muster up did not come up", hint: "\(log) says why")
    }
    endpoint = String(said.dropFirst("ready ".count))
  }

  private static func line(_ file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    while true {
      let byte = getc(file)
      if byte < 0 || byte == 10 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
  }

  deinit { stop() }

  /// Kills one of its processes, as a power cut would; `muster up` starts it again.
  /// - Throws: `LoadFailure` where there is no such process now.
  package func kill(_ name: String) throws(LoadFailure) {
    let file = "\(data)/run/\(name).pid"
    let text = Machine.text(of: file).prefix { $0 != "\n" }
    guard let processID = pid_t(text), processID > 1 else {
      throw LoadFailure("\(file) names no process to kill")
    }
    guard Glibc.kill(processID, SIGKILL) == 0 else {
      throw LoadFailure.system("\(name) cannot be killed")
    }
  }

  /// Ends it, and with it the four processes.
  package func stop() {
    guard isRunning else { return }
    isRunning = false
    Glibc.kill(processID, SIGTERM)
    waitpid(processID, nil, 0)
    fclose(output)
  }
}
