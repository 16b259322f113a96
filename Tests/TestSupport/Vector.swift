internal import Foundation
public import LarderJSON

/// A file of `Tests/Vectors/`: versions of files, and what becomes of them.
///
/// With `UPDATE_GOLDEN=1` each gets the result that the code gives; the difference is then for a
/// person to read.
public struct Vector: Sendable, CustomStringConvertible {
  public let name: String
  public let json: JSON
  public var description: String { name }
  private let url: URL

  public static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

  /// The vectors of one of the folders, in order of their names.
  public static func all(in folder: String) throws -> [Vector] {
    let url = Checkout.root.appending(path: "Tests/Vectors/\(folder)")
    return try Checkout.jsonFiles(in: url).map { path, bytes in
      Vector(name: path, json: try JSON(parsing: bytes), url: url.appending(path: path))
    }
  }

  public subscript(key: String) -> JSON? { json[key] }

  /// The bytes of the file that a member shows: it lies there as it is in its own file, further in.
  public func file(_ key: String) -> [UInt8]? { json[key]?.writeFile() }

  /// Writes the vector anew, with some members in place of those it has or behind them.
  public func update(_ results: [JSONMember]) throws {
    let kept = (json.members ?? []).filter { member in
      !results.contains { $0.key == member.key }
    }
    try Data(JSON.object(kept + results).writeFile()).write(to: url)
  }

  /// Whether the vector's own text is laid out as its files are, so that their bytes can be read from it.
  public func isCanonical() throws -> Bool {
    try Data(contentsOf: url).elementsEqual(json.writeFile())
  }
}
