/// Functions for reading and writing addresses.
package enum URLText {
  /// Returns the host of an address, without user, port and brackets; nil if there is none.
  package static func host(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    var authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    if let at = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: at)...]
    }
    if authority.hasPrefix("[") {
      let host = authority.dropFirst().prefix { $0 != "]" }
      return host.isEmpty ? nil : String(host)
    }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : String(host)
  }

  /// Returns a text for a path or a query: everything except letters, digits and `-._~` becomes
  /// `%XX` of its UTF-8 (RFC 3986, 2.3).
  package static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
