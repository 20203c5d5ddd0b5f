import Glibc
import Testing
import Wire
import ZeroMQ

@testable import Keys

private let first = "8co0WrCVzJxFb.FJ6Gx/?2-kC)#ju/:#?MHHfx%j"
private let second = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"

private func list(_ text: String) throws(KeyFileError) -> AllowedKeys {
  try AllowedKeys(Array(text.utf8), file: "keys")
}

@Suite struct AllowedKeysTests {
  @Test("A list has a key a line; comments and empty lines are passed over")
  func lines() throws {
    let list = try list(
      """
      # KEY USER ROLES

      \(first) ada user,staff 2027-12-31 # Ada's laptop
      \t\(second)\tgateway   peer\r
      """)
    let keys = list.entries
    #expect(keys.map(\.user) == ["ada", "gateway"])
    #expect(keys.map(\.isPeer) == [false, true])
    #expect(keys[0].roles == [.user, .staff] && keys[0].comment == "Ada's laptop")
    #expect(keys[0].line == "\(first) ada user,staff 2027-12-31 # Ada's laptop")
    #expect(keys[1].line == "\(second) gateway peer")
    #expect(list.only(peers: true).entries.map(\.user) == ["gateway"])
    #expect(list.only(peers: false).find(keys[1].key, atMs: 0) == nil)
  }

  @Test(
    "A line that is wrong is told by its number and what is wrong, and the list is not taken",
    arguments: [
      ("short ada user", "does not begin with a public key"),
      ("\(second) ada", "is not KEY USER ROLES"),
      ("\(second) ada owner", "has a role 'owner'"),
      ("\(second) ada user,", "has a role ''"),
      ("\(second) ada user,peer", "peer beside other roles"),
      ("\(second) ada user 2027-02-29", "where a day stands"),
      ("\(second) ada user unitl=2027-02-28", "where a day stands"),
      ("\(second) ada user 2027-02-28 laptop", "goes on after the day"),
      ("\(second) \u{202E}ada user", "control characters"),
      ("\(second) \(String(repeating: "a", count: 129)) user", "129 bytes"),
      ("\(first) bob user", "has the key of line 2"),
    ])
  func wrong(line: String, problem: String) throws {
    let error = #expect(throws: KeyFileError.self) {
      try list("# the list\n\(first) ada user\n\(line)\n")
    }
    #expect(error?.description.hasPrefix("keys:3: ") == true)
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test("A list that is no UTF-8 is not taken")
  func notText() {
    #expect(throws: KeyFileError.self) { try AllowedKeys([0xFF, 0xFE], file: "keys") }
  }

  @Test("A key is valid until its last day is over, in UTC")
  func lastDay() throws {
    let list = try list("\(first) ada user 2024-02-29\n\(second) bob user\n")
    let (ada, bob) = (list.entries[0].key, list.entries[1].key)
    let end: Int64 = 1_709_251_200_000  // 2024-03-01T00:00:00Z
    #expect(list.find(ada, atMs: end - 1)?.user == "ada")
    #expect(list.find(ada, atMs: end) == nil)
    #expect(list.find(bob, atMs: end)?.user == "bob")
    #expect(list.valid(atMs: end - 1) == [ada, bob] && list.valid(atMs: end) == [bob])
    #expect(list.nextEndMs(afterMs: end - 1) == end && list.nextEndMs(afterMs: end) == nil)
  }

  @Test(
    "A day that there is not is none",
    arguments: [
      "2023-02-29", "2100-02-29", "2024-13-01", "2024-00-01", "2024-04-31", "24-01-01", "",
    ])
  func days(text: String) {
    #expect(Day(text) == nil)
  }

  @Test("Days are counted as the calendar has them")
  func calendar() {
    #expect(Day("1970-01-01")?.endMs == 86_400_000)
    #expect(Day("2000-02-29")?.endMs == 951_868_800_000)
    #expect(Day("2027-12-31")?.endMs == 1_830_297_600_000)
  }
}

@Suite struct KeyFileTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/muster-keys-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  private func write(_ text: String, _ name: String, mode: mode_t = 0o600) throws -> String {
    let path = "\(folder)/\(name)"
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(descriptor >= 0 && Glibc.write(descriptor, text, text.utf8.count) >= 0)
    fchmod(descriptor, mode)
    close(descriptor)
    return path
  }

  @Test("A list that has become wrong is not taken, and the one before holds")
  func reading() throws {
    let path = try write("\(first) ada user\n", "list")
    var file = try AllowedKeysFile(path)
    func looks(_ count: Int) -> [AllowedKeysFile.Change] { (0..<count).map { _ in file.look() } }
    #expect(looks(1) == [.none] && file.keys.entries.count == 1)
    _ = try write("\(first) ada user\n\(second) bob\n", "list")
    #expect(looks(3) == [.unsettled, .settled, .settled])
    #expect(throws: KeyFileError.self) { try file.read() }
    #expect(looks(1) == [.none] && file.keys.entries.map(\.user) == ["ada"])
    unlink(path)
    #expect(looks(2) == [.unsettled, .settled])
    #expect(throws: KeyFileError.self) { try file.read() }
    #expect(looks(1) == [.none] && file.keys.entries.map(\.user) == ["ada"])
    _ = try write("\(second) bob", "list")
    #expect(looks(1) == [.unsettled])
    _ = try write("\(second) bob user\n", "list")
    #expect(looks(2) == [.unsettled, .settled], "it was not done yet")
    try file.read()
    #expect(file.keys.entries.map(\.user) == ["bob"])
  }

  @Test("A list that anybody may write to is not taken")
  func writable() throws {
    let path = try write("\(first) ada user\n", "list", mode: 0o666)
    #expect(throws: KeyFileError.self) { try AllowedKeysFile(path) }
  }

  @Test("A secret key is made for its owner alone, once, and read again")
  func secret() throws {
    let path = "\(folder)/secret"
    let pair = try SecretKeyFile.make(path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try SecretKeyFile.read(path).publicKey == pair.publicKey)
    #expect(throws: KeyFileError.self) { try SecretKeyFile.make(path) }
  }

  @Test("A secret key that others can read is refused", arguments: [0o640, 0o604, 0o644, 0o660])
  func readable(mode: Int) throws {
    let path = try write(try CurveKeyPair().secretText, "open", mode: mode_t(mode))
    let error = #expect(throws: KeyFileError.self) { try SecretKeyFile.read(path) }
    #expect(error?.description.contains("others can read") == true)
  }

  @Test("What is no secret key is told without showing it", arguments: ["", "short", first + "x"])
  func noKey(text: String) throws {
    let path = try write(text, "none")
    let error = #expect(throws: KeyFileError.self) { try SecretKeyFile.read(path) }
    #expect(error?.description.contains("is no secret key") == true)
    if !text.isEmpty { #expect(error?.description.contains(text) == false) }
  }
}
