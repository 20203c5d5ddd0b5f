import Glibc

extension Method {
  /// The method of this full name; nil where there is none. Allocates nothing.
  package init?(fullName bytes: UnsafeRawBufferPointer) {
    var slot = Method.slot(of: bytes)
    while let method = Method.slots[slot] {
      if method.isNamed(bytes) {
        self = method
        return
      }
      slot = (slot + 1) % Method.slots.count
    }
    return nil
  }

  /// A hash table with open addressing, at most a quarter full.
  private static let slots: [Method?] = {
    var slots = [Method?](repeating: nil, count: slotCount)
    for method in allCases {
      var name = method.fullName
      var slot = name.withUTF8 { Method.slot(of: UnsafeRawBufferPointer($0)) }
      while slots[slot] != nil { slot = (slot + 1) % slotCount }
      slots[slot] = method
    }
    return slots
  }()

  private static let slotCount = 256

  /// FNV-1a of the last bytes: methods differ there, services in front.
  private static func slot(of name: UnsafeRawBufferPointer) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in name.suffix(12) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 8) % slotCount
  }

  private func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let same = fullName.utf8.withContiguousStorageIfAvailable { name in
      guard let one = name.baseAddress, let other = bytes.baseAddress else { return false }
      return name.count == bytes.count && memcmp(one, other, name.count) == 0
    }
    return same ?? fullName.utf8.elementsEqual(bytes)
  }
}
