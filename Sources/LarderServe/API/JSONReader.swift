internal import LarderJSON
internal import LarderKit

/// A JSON value of a request with its place, which reads members by type.
struct JSONReader {
  let value: JSON
  let place: String

  init(_ value: JSON, at place: String = "") throws(RequestMistake) {
    self.value = value
    self.place = place
    guard value.members != nil else { throw mistake("an object is needed") }
  }

  func place(of key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  func mistake(_ reason: String, at key: String? = nil) -> RequestMistake {
    let at = key.map(place(of:)) ?? place
    return RequestMistake(at: at, say: at.isEmpty ? reason : "\(at): \(reason)")
  }

  /// The value of a member; nil if it is absent or null.
  subscript(key: String) -> JSON? {
    guard let found = value[key], found != .null else { return nil }
    return found
  }

  /// Refuses members that nobody reads, as what they ask for would not be done.
  func allow(_ keys: Set<String>) throws(RequestMistake) {
    for member in value.members ?? [] where !keys.contains(member.key) {
      throw mistake("it is not known here", at: String(member.key.prefix(40)))
    }
  }

  /// Returns what is there, or throws that it is needed.
  func needed<Value>(
    _ key: String, _ read: (String) throws(RequestMistake) -> Value?
  ) throws(RequestMistake) -> Value {
    guard let value = try read(key) else { throw mistake("it is needed", at: key) }
    return value
  }
}

extension JSONReader {
  /// The largest number of characters in a text.
  static let longestText = 4_000

  /// Reads a text of one line or more; of white space alone it is none.
  func text(_ key: String) throws(RequestMistake) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string, text.count <= Self.longestText else {
      throw mistake("a text of at most \(Self.longestText) characters is needed", at: key)
    }
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Reads a name: one line with single spaces.
  func name(_ key: String) throws(RequestMistake) -> String? {
    try text(key).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  /// Reads the id of an entity or of an act.
  func id(_ key: String) throws(RequestMistake) -> String? {
    guard let value = self[key] else { return nil }
    guard let id = value.string?.lowercased(), Identifier.isUUID(id) else {
      throw mistake("a UUID is needed", at: key)
    }
    return id
  }

  func number(_ key: String) throws(RequestMistake) -> Number? {
    guard let value = self[key] else { return nil }
    guard let number = value.number.flatMap({ Number($0) }) else {
      throw mistake("a number with at most 15 digits is needed", at: key)
    }
    return number
  }

  func unit(_ key: String) throws(RequestMistake) -> Unit? {
    guard let value = self[key] else { return nil }
    guard let unit = value.string.flatMap(Unit.init(rawValue:)) else {
      throw mistake("a unit is needed, such as piece or gram", at: key)
    }
    return unit
  }

  func day(_ key: String) throws(RequestMistake) -> Day? {
    guard let value = self[key] else { return nil }
    guard let day = value.string.flatMap({ Day($0) }) else {
      throw mistake("a day is needed, such as 2027-01-04", at: key)
    }
    return day
  }

  func instant(_ key: String) throws(RequestMistake) -> Instant? {
    guard let value = self[key] else { return nil }
    guard let instant = value.string.flatMap({ Instant($0) }) else {
      throw mistake("a time is needed, such as 2026-11-03T19:12:44.120Z", at: key)
    }
    return instant
  }

  func flag(_ key: String) throws(RequestMistake) -> Bool? {
    guard let value = self[key] else { return nil }
    guard let flag = value.bool else { throw mistake("true or false is needed", at: key) }
    return flag
  }

  func object(_ key: String) throws(RequestMistake) -> JSONReader? {
    guard let value = self[key] else { return nil }
    return try JSONReader(value, at: place(of: key))
  }

  /// Reads a list of objects.
  func list(_ key: String, atMost most: Int) throws(RequestMistake) -> [JSONReader] {
    guard let value = self[key] else { return [] }
    guard let all = value.array, all.count <= most else {
      throw mistake("a list of at most \(most) is needed", at: key)
    }
    var readers: [JSONReader] = []
    for (index, one) in all.enumerated() {
      readers.append(try JSONReader(one, at: "\(place(of: key))[\(index)]"))
    }
    return readers
  }

  func ids(_ key: String, atMost most: Int) throws(RequestMistake) -> [String] {
    guard let value = self[key] else { return [] }
    guard let all = value.array, all.count <= most else {
      throw mistake("a list of at most \(most) is needed", at: key)
    }
    var ids: [String] = []
    for (index, one) in all.enumerated() {
      guard let id = one.string?.lowercased(), Identifier.isUUID(id) else {
        throw mistake("a UUID is needed", at: "\(key)[\(index)]")
      }
      ids.append(id)
    }
    return ids
  }
}
