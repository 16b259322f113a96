/// The headers of a request or an answer.
///
/// Their names are case-insensitive.
///
/// Values may be secret, so they are never printed.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// The headers in their order, with names as written.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Creates headers from a dictionary literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The value of a header.
  ///
  /// If it occurs several times, the values are joined by commas (RFC 9110, 5.3).
  ///
  /// Setting it replaces all headers of the name.
  public subscript(name: String) -> String? {
    get {
      let wanted = name.lowercased()
      let values = fields.filter { $0.name.lowercased() == wanted }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let wanted = name.lowercased()
      fields.removeAll { $0.name.lowercased() == wanted }
      if let newValue { add(name, newValue) }
    }
  }

  /// Adds a header, even if one of the name exists.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }
}

extension Headers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names only.
  public var description: String { fields.map(\.name).joined(separator: ", ") }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
