/// The path of a file or folder from the root of a household, with `/` between names; empty for the
/// root itself.
///
/// Two paths that look the same can be two files, so paths are compared, ordered and taken apart by
/// their UTF-8 bytes.
public struct FilePath: Sendable {
  /// The path as a text, for messages and for calls of the system.
  public let text: String

  /// Creates a path of any text; whether a household may have it is not checked.
  public init(_ text: String) {
    self.text = text
  }

  /// Whether it is the root.
  public var isEmpty: Bool { text.utf8.isEmpty }

  /// The bytes of the path.
  public var utf8: String.UTF8View { text.utf8 }

  /// Whether its bytes begin with those of a text.
  public func hasPrefix(_ beginning: String) -> Bool { utf8.starts(with: beginning.utf8) }

  /// Whether its bytes end with those of a text.
  public func hasSuffix(_ ending: String) -> Bool {
    utf8.count >= ending.utf8.count && utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  /// The names in the path, from the root.
  public var names: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The last name in the path.
  public var name: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[text.utf8.index(after: $0)...]) }
      ?? text
  }

  /// The folder that the file or folder lies in; empty for the root.
  public var folder: FilePath {
    FilePath(utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[..<$0]) } ?? "")
  }

  /// The paths of all folders above it, from the root, without the root itself.
  public var folders: [FilePath] {
    utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map { FilePath(String(text[..<$0])) }
  }

  /// Returns the path of a name in this folder.
  public func appending(_ name: String) -> FilePath {
    isEmpty ? FilePath(name) : FilePath(text + "/" + name)
  }
}

extension FilePath: Hashable, Comparable {
  public static func == (left: FilePath, right: FilePath) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public static func < (left: FilePath, right: FilePath) -> Bool {
    left.text.precedesByBytes(right.text)
  }

  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension FilePath: ExpressibleByStringInterpolation, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }
}
