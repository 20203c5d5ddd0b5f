import Glibc

/// What is known of the machine that a run is made on.
package enum Machine {
  /// For the report.
  package static func facts() -> [Fact] {
    var name = utsname()
    uname(&name)
    let kernel = withUnsafeBytes(of: name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let cpu = line("model name", of: "/proc/cpuinfo").map { after(":", $0) } ?? "unknown"
    let memoryKiB = line("MemTotal", of: "/proc/meminfo").flatMap { line in
      line.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    }
    let load = text(of: "/proc/loadavg").split(separator: " ").first.map(String.init) ?? "unknown"
    return [
      Fact("CPU", "\(cores) x \(cpu)"),
      Fact(
        "memory",
        memoryKiB.map { "\(NumberText.decimal($0 / 1_048_576, digits: 1)) GiB" } ?? "unknown"),
      Fact("kernel", "Linux \(kernel)"),
      Fact("load before", load),
    ]
  }

  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// CPU time that all processes together have taken, in nanoseconds; nil where nobody says.
  static var busyNs: Int? {
    let numbers = text(of: "/proc/stat").prefix { $0 != "\n" }.split(separator: " ").dropFirst()
    let ticks = numbers.compactMap { Int($0) }
    let perSecond = Int(sysconf(Int32(_SC_CLK_TCK)))
    // user nice system idle iowait irq softirq steal: see proc(5)
    guard ticks.count >= 8, perSecond > 0 else { return nil }
    let busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
    return busy * (1_000_000_000 / perSecond)
  }

  private static func line(_ start: String, of path: String) -> String? {
    text(of: path).split(separator: "\n").first { $0.hasPrefix(start) }.map(String.init)
  }

  private static func after(_ separator: Character, _ line: String) -> String {
    let rest = line.drop { $0 != separator }.dropFirst()
    return String(rest.drop { $0 == " " })
  }

  /// The text of a small file; empty where it cannot be read.
  package static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}

/// CPU time taken between two moments.
struct CPUMeter {
  private let startNs = Clock.nowNs
  private let threadNs = Clock.threadNs
  private let processNs = Clock.processNs
  private let machineNs = Machine.busyNs

  /// What was taken since this was made.
  func cost() -> DriverCost {
    let wallNs = Double(max(1, Clock.nowNs - startNs))
    let busyNs = machineNs.flatMap { before in Machine.busyNs.map { $0 - before } } ?? 0
    return DriverCost(
      threadCores: Double(Clock.threadNs - threadNs) / wallNs,
      processCores: Double(Clock.processNs - processNs) / wallNs,
      machineCores: Double(busyNs) / wallNs, seconds: wallNs / 1e9)
  }
}
