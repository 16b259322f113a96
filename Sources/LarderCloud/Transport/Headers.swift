/// The header fields of a request or an answer; their names are the same in any case.
///
/// Values may be secret, so nothing prints them.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// The fields in the order they came, names as they were written.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Fields as a dictionary literal has them.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The value of a field; where it came several times, the values joined by commas (RFC 9110, 5.3).
  ///
  /// Setting it replaces every field of the name.
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

  /// Adds a field, also where there is one of the name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }
}

extension Headers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names alone.
  public var description: String { fields.map(\.name).joined(separator: ", ") }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
