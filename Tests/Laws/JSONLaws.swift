import LarderJSON

/// What holds for any text, JSON or not.
struct JSONLaws {
  let text: [UInt8]

  func check() throws(BrokenLaw) {
    let value: JSON
    do {
      value = try JSON(parsing: text)
    } catch {
      return try check(error)
    }
    try check(value, "written", value.writeFile())
    try check(value, "compact", value.compact())
    let canonical = value.canonicalized()
    guard canonical.canonicalized() == canonical else {
      throw BrokenLaw("the canonical form is not its own", text, canonical.writeFile())
    }
    try check(canonical, "canonical", canonical.writeFile())
    try checkPlaces(of: value)
  }

  private func check(_ value: JSON, _ form: String, _ written: [UInt8]) throws(BrokenLaw) {
    let read: JSON
    do {
      read = try JSON(parsing: written)
    } catch {
      throw BrokenLaw("the \(form) form can't be read: \(error)", text, written)
    }
    guard read == value else {
      throw BrokenLaw("the \(form) form reads differently", text, written)
    }
    guard read.writeFile() == value.writeFile() else {
      throw BrokenLaw("the \(form) form is written differently", text, written)
    }
  }

  /// A mistake is at a place in the text.
  private func check(_ mistake: JSONMistake) throws(BrokenLaw) {
    let position = mistake.position
    guard (0...text.count).contains(position.offset) else {
      throw BrokenLaw("a mistake out of the text", text)
    }
    guard position == JSON.position(ofOffset: position.offset, in: text) else {
      throw BrokenLaw("a mistake's line is not that of its offset", text)
    }
  }

  /// The place of a value holds that value.
  private func checkPlaces(of value: JSON) throws(BrokenLaw) {
    for (path, found) in value.steps.prefix(16) {
      guard let place = JSON.position(of: path, in: text), place.offset < text.count,
        text[place.offset] == found.compact().first
      else { throw BrokenLaw("no such value at the place of \(path)", text) }
    }
  }
}

extension JSON {
  /// The values in this one, and those in them, by the way to them.
  fileprivate var steps: [(path: [JSONStep], value: JSON)] {
    let own = step
    return own + own.flatMap { way, value in value.step.map { (way + $0.path, $0.value) } }
  }

  private var step: [(path: [JSONStep], value: JSON)] {
    switch self {
    case .array(let elements): elements.enumerated().map { ([.index($0.offset)], $0.element) }
    case .object(let members): members.map { ([.key($0.key)], $0.value) }
    default: []
    }
  }
}
