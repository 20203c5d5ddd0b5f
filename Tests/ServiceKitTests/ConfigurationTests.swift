import ServiceKit
import Testing

@Suite("Configuration")
struct ConfigurationTests {
  private static let program = Program(
    name: "muster-gateway", summary: "Answers who is here.", version: "1.2.3")

  private static let settings = [
    Setting("rpc", .endpoints, isNeeded: true, help: "Where it answers."),
    Setting("profiles", .backend, help: "The profile service."),
    Setting("trust-clients", .flag, help: "Believes what clients say of themselves."),
    Setting("pages", .number(1...9, unit: "pages"), byDefault: "3", help: "How many pages."),
    Setting(
      "required-profile-fields", .texts(of: ["last_name", "bio"]), help: "What is asked for."),
    Setting("keys", .text("DIR"), help: "Where the keys are."),
  ]

  private struct NoSuchFile: Error, CustomStringConvertible {
    var description: String { "no such file" }
  }

  private func load(
    _ arguments: [String], _ environment: [String: String] = [:], file: String? = nil
  ) throws(ConfigurationError) -> Configuration.Start {
    try Configuration.load(
      program: Self.program, settings: Self.settings, arguments: arguments,
      environment: environment,
      readFile: { path in
        guard let file, path == "m.conf" else { throw NoSuchFile() }
        return Array(file.utf8)
      })
  }

  private func run(
    _ arguments: [String], _ environment: [String: String] = [:], file: String? = nil
  ) throws -> Configuration {
    guard case .run(let configuration) = try load(arguments, environment, file: file) else {
      throw NoSuchFile()
    }
    return configuration
  }

  private func say(
    _ arguments: [String], _ environment: [String: String] = [:], file: String? = nil
  ) throws -> String {
    guard case .say(let text) = try load(arguments, environment, file: file) else { return "" }
    return text
  }

  private func problems(
    _ arguments: [String], _ environment: [String: String] = [:], file: String? = nil
  ) -> [String] {
    do throws(ConfigurationError) {
      _ = try load(arguments, environment, file: file)
      return []
    } catch {
      return error.problems
    }
  }

  @Test("flags of every kind are understood")
  func flags() throws {
    let configuration = try run([
      "--rpc", "ipc:///a", "--rpc=tcp://127.0.0.1:5,ipc:///b", "--profiles", "ipc:///p,ipc:///f",
      "--trust-clients", "--pages=7", "--required-profile-fields", "last_name, bio",
      "--keys=/etc/a=b",
    ])
    #expect(
      configuration.endpoints("rpc").map(\.description)
        == ["ipc:///a", "tcp://127.0.0.1:5", "ipc:///b"])
    #expect(configuration.backend("profiles")?.feed.description == "ipc:///f")
    #expect(configuration.flag("trust-clients"))
    #expect(configuration.number("pages") == 7)
    #expect(configuration.texts("required-profile-fields") == ["last_name", "bio"])
    #expect(configuration.text("keys") == "/etc/a=b")
  }

  @Test("what nobody said has its default, or is empty")
  func defaults() throws {
    let configuration = try run(["--rpc", "ipc:///a"])
    #expect(configuration.number("pages") == 3)
    #expect(configuration.backend("profiles") == nil)
    #expect(!configuration.flag("trust-clients"))
    #expect(configuration.texts("required-profile-fields").isEmpty)
    #expect(configuration.text("keys") == "")
    #expect(configuration.text("log-level") == "info")
  }

  @Test("a flag can be switched off where a lower source has it on")
  func switchedOff() throws {
    let environment = ["MUSTER_RPC": "ipc:///a", "MUSTER_TRUST_CLIENTS": "yes"]
    #expect(try run([], environment).flag("trust-clients"))
    #expect(try !run(["--trust-clients=false"], environment).flag("trust-clients"))
  }

  private static let file = """
    ; for everybody
    [muster]
    pages = 4
    keys = /shared  ; a comment
    [muster-profiles]
    nobody-knows = this
    [muster-gateway]
    rpc = ipc:///one
      ipc:///two
    pages: 5
    required_profile_fields = bio
    """

  @Test("flags beat the environment, which beats the program's section, which beats [muster]")
  func rising() throws {
    let fromFile = try run(["--config", "m.conf"], file: Self.file)
    #expect(fromFile.number("pages") == 5)
    #expect(fromFile.text("keys") == "/shared")
    #expect(fromFile.endpoints("rpc").map(\.description) == ["ipc:///one", "ipc:///two"])
    #expect(fromFile.texts("required-profile-fields") == ["bio"])
    let environment = ["MUSTER_PAGES": "6", "MUSTER_RPC": "ipc:///e", "MUSTER_KEYS": ""]
    let both = try run(["--config=m.conf"], environment, file: Self.file)
    #expect(both.number("pages") == 6)
    #expect(both.endpoints("rpc").map(\.description) == ["ipc:///e"])
    #expect(both.text("keys") == "/shared", "an empty variable says nothing")
    let all = try run(["--config=m.conf", "--pages", "8"], environment, file: Self.file)
    #expect(all.number("pages") == 8)
  }

  @Test("a checked configuration shows each value and where it came from")
  func check() throws {
    let text = try say(
      ["--check-config", "--config=m.conf", "--trust-clients"], ["MUSTER_KEYS": "/e"],
      file: Self.file)
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      rows == [
        "rpc ipc:///one,ipc:///two m.conf:8",
        "profiles not set",
        "trust-clients true flag --trust-clients",
        "pages 5 m.conf:10",
        "required-profile-fields bio m.conf:11",
        "keys /e environment MUSTER_KEYS",
        "secret-key not set",
        "allowed-keys not set",
        "log-level info by default",
        "log-format text by default",
      ])
  }

  @Test("help names every setting, and needs nothing else to be right")
  func help() throws {
    let text = try say(["--nonsense", "--help"])
    for setting in Self.settings + Setting.common { #expect(text.contains("--\(setting.name)")) }
    #expect(text.contains("1 to 9 pages. Default: 3."))
    #expect(text.hasPrefix("muster-gateway: Answers who is here.\n"))
  }

  @Test("version is the program's name and version")
  func version() throws {
    #expect(try say(["--version"]) == "muster-gateway 1.2.3\n")
  }

  @Test(
    "each mistake is named with its source and with what would be right",
    arguments: [
      (
        ["--trust-client"],
        "--trust-client is no flag of muster-gateway; did you mean --trust-clients?"
      ),
      (["--pgaes", "3"], "--pgaes is no flag of muster-gateway; did you mean --pages?"),
      (["--xyzzy"], "--xyzzy is no flag of muster-gateway"),
      (["-h"], "\"-h\" is no flag; flags begin with --"),
      (["--trust-clients", "no"], "\"no\" is no flag; flags begin with --"),
      (["--pages"], "--pages needs a value: --pages NUMBER"),
      (["--keys", "--trust-clients"], "--keys needs a value: --keys DIR"),
      (["--pages=0"], "pages (flag --pages): \"0\" is not a whole number from 1 to 9 (pages)"),
      (["--pages=1.5"], "pages (flag --pages): \"1.5\" is not a whole number from 1 to 9 (pages)"),
      (
        ["--pages=99999999999999999999"],
        "pages (flag --pages): \"99999999999999999999\" is not a whole number from 1 to 9 (pages)"
      ),
      (["--pages=1", "--pages=1"], "pages is given twice: flag --pages and flag --pages"),
      (
        ["--trust-clients=perhaps"],
        "trust-clients (flag --trust-clients): \"perhaps\" is neither true nor false"
      ),
      (
        ["--profiles", "ipc:///a"],
        "profiles (flag --profiles): \"ipc:///a\" is not two endpoints, RPC,FEED"
      ),
      (
        ["--log-level=loud"],
        "log-level (flag --log-level): \"loud\" is none of error, warning, notice, info, debug"
      ),
      (
        ["--required-profile-fields=bio,face"],
        "required-profile-fields (flag --required-profile-fields): "
          + "\"face\" is none of last_name, bio"
      ),
      (["--config=n.conf"], "the file n.conf of --config cannot be read: no such file"),
    ])
  func mistakes(_ arguments: [String], _ problem: String) {
    // What stands alone is taken to be about the words before it, so the good flag comes first.
    #expect(problems(["--rpc", "ipc:///a"] + arguments) == [problem])
  }

  @Test(
    "what is needed and missing, or empty, is named with every way to give it",
    arguments: [[], ["--rpc="], ["--rpc", ","]])
  func missing(_ arguments: [String]) {
    #expect(
      problems(arguments) == [
        "rpc is needed: give --rpc ENDPOINT, MUSTER_RPC, or rpc in the file of --config"
      ])
  }

  @Test("the variable of a wrong value is named")
  func environment() {
    #expect(
      problems([], ["MUSTER_RPC": "here"]) == [
        "rpc (environment MUSTER_RPC): \"here\" is neither ipc://PATH nor tcp://HOST:PORT"
      ])
  }

  @Test(
    "a mistake in the file is named with its line",
    arguments: [
      (
        "[muster]\nrpc=ipc:///a\n\npaegs = 3\n",
        ["m.conf:4: paegs is no setting of muster-gateway; did you mean pages?"]
      ),
      (
        "[muster-gateway]\nrpc=ipc:///a\nrpc\n",
        ["m.conf:3: is neither a [section] nor name = value"]
      ),
      (
        "[gateway]\nrpc=ipc:///a\n",
        [
          "m.conf:2: rpc stands in [gateway]; sections are [muster], [muster-profiles], "
            + "[muster-locations], [muster-checkins], [muster-gateway]",
          "rpc is needed: give --rpc ENDPOINT, MUSTER_RPC, or rpc in the file of --config",
        ]
      ),
      (
        "[muster]\nrpc=ipc:///a\npages=1\npages=2\n",
        ["pages is given twice: m.conf:3 and m.conf:4"]
      ),
      (
        "[muster]\nrpc=ipc:///a\nkeys=" + String(repeating: "k", count: 300) + "\npages=no\n",
        [
          "m.conf:3: has more than 198 bytes; go on in an indented line",
          "pages (m.conf:4): \"no\" is not a whole number from 1 to 9 (pages)",
        ]
      ),
      (
        "[muster]\nrpc=ipc:///a\u{0}\n",
        [
          "m.conf:1: the file is not UTF-8 text",
          "rpc is needed: give --rpc ENDPOINT, MUSTER_RPC, or rpc in the file of --config",
        ]
      ),
    ])
  func fileMistakes(_ file: String, _ expected: [String]) {
    #expect(problems(["--config", "m.conf"], file: file) == expected)
  }

  @Test("everything that is wrong is said at once")
  func allAtOnce() {
    #expect(
      problems(["--pages=0", "--xyzzy"], ["MUSTER_RPC": "x"], file: nil).count == 3)
  }
}
