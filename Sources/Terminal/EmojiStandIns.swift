/// Emoji of several code points, for which libsmartcols would count the columns of each: a family
/// is one picture of two columns (Unicode's UTS #51), not eight. In a table they are replaced by
/// two private characters of a column each, and put back when it is laid out.
struct EmojiStandIns {
  private var emoji: [Character] = []

  /// The last private characters that Unicode has: nobody's text has them in this order.
  private static let first: UInt32 = 0x10_F000
  private static let most = 0xF00
  private static let second: Unicode.Scalar = "\u{10FFFD}"

  /// The text with stand-ins for such emoji.
  mutating func replacing(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: EmojiStandIns.joins) else { return text }
    var result = String.UnicodeScalarView()
    for character in text {
      let isLong = character.unicodeScalars.count > 1
      guard isLong, character.unicodeScalars.contains(where: EmojiStandIns.joins),
        let standIn = standIn(character)
      else {
        result.append(contentsOf: character.unicodeScalars)
        continue
      }
      result.append(standIn)
      result.append(EmojiStandIns.second)
    }
    return String(result)
  }

  /// The laid out text with the emoji back in their places. Where one was cut in two, a blank is
  /// left of it.
  func restoring(_ text: String) -> String {
    guard !emoji.isEmpty else { return text }
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
      next = scalars.next()
      let index = Int(scalar.value) - Int(EmojiStandIns.first)
      guard emoji.indices.contains(index) else {
        result.append(scalar)
        continue
      }
      if next == EmojiStandIns.second {
        result.append(contentsOf: emoji[index].unicodeScalars)
        next = scalars.next()
      } else {
        result.append(" ")
      }
    }
    return String(result)
  }

  private mutating func standIn(_ character: Character) -> Unicode.Scalar? {
    if let known = emoji.firstIndex(of: character) {
      return Unicode.Scalar(EmojiStandIns.first + UInt32(known))
    }
    guard emoji.count < EmojiStandIns.most else { return nil }
    emoji.append(character)
    return Unicode.Scalar(EmojiStandIns.first + UInt32(emoji.count - 1))
  }

  /// What makes one picture of several characters: a joiner, the wish for a picture, a skin tone,
  /// or a flag's letters.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF: true
    default: false
    }
  }
}
