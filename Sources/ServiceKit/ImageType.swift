/// The kinds of image that are kept, told by their first bytes and by nothing that a caller says.
package enum ImageType: String, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case webp = "image/webp"

  /// Nil: none of them.
  ///
  /// PNG: its signature (RFC 2083, section 3.1). JPEG: start of image, and the marker that follows
  /// (ITU T.81, annex B). WebP: a RIFF file of that form (RFC 9649, section 2.4).
  package init?(of bytes: [UInt8]) {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    if bytes.starts(with: png) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// For `media_type`.
  package var mediaType: String { rawValue }
}
