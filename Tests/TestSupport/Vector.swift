internal import Foundation
public import LarderJSON
import LarderText

/// A file of `Tests/Vectors/`: versions of files, and the expected result.
///
/// `UPDATE_GOLDEN=1` writes the code's result into each; a person then reads the difference.
public struct Vector: Sendable, CustomStringConvertible {
  public let name: String
  public let json: JSON
  public var description: String { name }
  private let url: URL

  public static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

  /// Returns the vectors of a folder, ordered by name.
  public static func all(in folder: String) throws -> [Vector] {
    let url = Checkout.root.appending(path: "Tests/Vectors/\(folder)")
    return try Checkout.jsonFiles(in: url).map { path, bytes in
      Vector(name: path.text, json: try JSON(parsing: bytes), url: url.appending(path: path.text))
    }
  }

  public subscript(key: String) -> JSON? { json[key] }

  /// Returns the bytes of the file in a member; the member is the same text, only indented.
  public func file(_ key: String) -> [UInt8]? { json[key]?.writeFile() }

  /// Writes the vector again, with some members replaced or added at the end.
  public func update(_ results: [JSONMember]) throws {
    let kept = (json.members ?? []).filter { member in
      !results.contains { $0.key == member.key }
    }
    try Data(JSON.object(kept + results).writeFile()).write(to: url)
  }

  /// Whether the vector is in canonical form, so the bytes of its files can be read from it.
  public func isCanonical() throws -> Bool {
    try Data(contentsOf: url).elementsEqual(json.writeFile())
  }
}
