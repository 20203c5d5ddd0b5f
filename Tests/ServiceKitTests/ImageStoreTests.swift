import SQLite
import ServiceKit
import Testing

@Suite("Images")
struct ImageStoreTests {
  private let one: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
  private let two: [UInt8] = [0xFF, 0xD8, 0xFF, 2]

  @Test("B2: an image is named by the SHA-256 of its bytes, and found by it")
  func found() throws {
    let store = try ImageStore(database(ImageStore.schema))
    let hash = try store.replace([], with: one)
    #expect(hash == SHA256.digest(one))
    #expect(try store.find(hash)?.bytes == one)
    #expect(try store.find(hash)?.type == .jpeg)
    #expect(try store.find(SHA256.digest(two)) == nil)
  }

  @Test("B2: two who have the same image have it once, and it goes with the last of them")
  func shared() throws {
    let database = try database(ImageStore.schema)
    let store = try ImageStore(database)
    let hash = try store.replace([], with: one)
    #expect(try store.replace([], with: one) == hash)
    #expect(try store.replace([], with: one) == hash)
    #expect(try count("image", in: database) == 1)
    try store.remove(hash)
    #expect(try store.find(hash) != nil)
    #expect(try store.replace(hash, with: []) == [])
    #expect(try store.find(hash) != nil)
    try store.remove(hash)
    #expect(try store.find(hash) == nil)
    #expect(try count("image", in: database) == 0)
  }

  @Test("another image takes the place of the one before; the same one changes nothing")
  func replaced() throws {
    let database = try database(ImageStore.schema)
    let store = try ImageStore(database)
    let old = try store.replace([], with: one)
    #expect(try store.replace(old, with: one) == old)
    let new = try store.replace(old, with: two)
    #expect(try store.find(old) == nil)
    #expect(try store.find(new)?.bytes == two)
    #expect(try count("image", in: database) == 1)
  }

  @Test("removing nothing is nothing")
  func nothing() throws {
    let store = try ImageStore(database(ImageStore.schema))
    #expect(try store.replace([], with: []) == [])
    try store.remove([])
  }
}
