internal import Libc

/// The location of a remote's URL.
enum RemoteLocation: Equatable {
  /// A folder of this machine, as an absolute path.
  case path(String)
  /// Another machine.
  case network

  /// Parses a URL as git does; a relative path starts at `folder`.
  init(_ url: String, relativeTo folder: String) {
    let scheme = "file://"
    if url.hasPrefix(scheme) {
      let rest = url.utf8.dropFirst(scheme.utf8.count)
      let path = rest.drop { $0 != UInt8(ascii: "/") }
      self = .path(Self.decoded(Array(path)))
    } else if url.utf8.first == UInt8(ascii: "/") {
      self = .path(url)
    } else if Self.hasScheme(url) || Self.hasHost(url) {
      self = .network
    } else {
      self = .path(folder + "/" + url)
    }
  }

  /// Returns the path, for operations of libgit2 alone.
  ///
  /// Throws `noProgram` for another machine, and `noRepository` if nothing exists there.
  @discardableResult
  func localPath(_ url: String, action: String) throws(GitError) -> String {
    guard case .path(let path) = self else {
      throw GitError(
        .noProgram, action: action, detail: "there is no git program in PATH",
        path: url.withoutSecrets)
    }
    guard access(path, F_OK) == 0 else {
      throw GitError(.noRepository, action: action, detail: "there is no '\(path)'", path: url)
    }
    return path
  }

  private static func hasScheme(_ url: String) -> Bool {
    var rest = url.utf8.drop { $0 != UInt8(ascii: ":") }
    for expected in "://".utf8 where rest.popFirst() != expected { return false }
    return true
  }

  /// Whether it is `host:folder`, the short form for SSH: a colon before any slash.
  private static func hasHost(_ url: String) -> Bool {
    url.utf8.first { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") } == UInt8(ascii: ":")
  }

  private static func decoded(_ path: [UInt8]) -> String {
    var bytes: [UInt8] = []
    var rest = path[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
