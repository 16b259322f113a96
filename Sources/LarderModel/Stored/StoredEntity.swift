internal import LarderJSON
internal import LarderText

/// An entity as the cache keeps it: what lists need, where each field is, and its file in canonical
/// form, in which single fields are found without decoding the others.
///
/// The file has values that are no fields, because they follow from the ledger: these are left out of
/// the table of fields, or told from the fields as they are read.
struct StoredEntity: Sendable {
  private let bytes: [UInt8]
  private let start: Int

  /// Finds an entity at an offset of some bytes.
  init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  init(_ entity: Entity) {
    let entity = entity.own.decoded
    let schema = Schema.of(entity.kind)
    let text = entity.fileBytes
    var (hashes, values, edited) = ([UInt8](), [Int](), 0)
    text.withUnsafeBytes { text in
      for member in CanonicalText(text).members {
        let name = String(decoding: member.key, as: UTF8.self)
        if name == FieldName.edited.text { edited = member.value }
        guard !schema.isBookkeeping(name) else { continue }
        hashes.append(CanonicalText.hash(member.key))
        values.append(member.value)
      }
    }
    var bytes: [UInt8] = []
    bytes.append(size: 0)
    bytes.append(UInt8(entity.kind.number))
    bytes.append(UInt8(Unit.known.firstIndex(of: entity.unit) ?? Unit.known.count))
    let total = TotalPart(entity)
    bytes.append(
      (entity.isTombstone ? 1 : 0) + (entity.showsLoose ? 2 : 0) + (total.isAnchor ? 4 : 0))
    bytes.append(number: entity.createdAt.milliseconds)
    bytes.append(number: entity.updatedAt.milliseconds)
    bytes.append(number: entity.ownQuantity.value.billionths)
    bytes.append(number: total.moment.milliseconds)
    bytes.append(number: total.number.billionths)
    for size in [edited, entity.id.utf8.count, values.count] { bytes.append(size: size) }
    bytes += hashes
    for value in values { bytes.append(size: value) }
    bytes += entity.id.utf8
    bytes += text
    bytes.fill(size: bytes.count, at: Place.length)
    self.init(bytes, at: 0)
  }

  /// The offsets of the parts that every entity has at the same place; those of the text count from its
  /// beginning.
  private enum Place {
    static let length = 0
    static let kind = 4
    static let unit = 5
    static let marks = 6
    static let createdAt = 7
    static let updatedAt = 15
    static let quantity = 23
    static let totalMoment = 39
    static let totalNumber = 47
    /// Where the stamps in the text are; 0 if there are none.
    static let edited = 63
    static let idLength = 67
    static let fields = 71
    static let table = 75
  }

  private func number<Number: FixedWidthInteger>(at place: Int) -> Number {
    bytes.number(at: start + place)
  }

  private func size(at place: Int) -> Int { bytes.size(at: start + place) }

  private var idStart: Int { start + Place.table + 5 * size(at: Place.fields) }
  private var end: Int { start + size(at: Place.length) }

  /// All its bytes, as ``init(_:at:)`` finds them.
  var slice: ArraySlice<UInt8> { bytes[start..<end] }

  /// The file in canonical form.
  var text: ArraySlice<UInt8> { bytes[(idStart + idLength)..<end] }

  /// Whether another entity is the same.
  func hasSameBytes(as other: StoredEntity) -> Bool {
    slice.withUnsafeBufferPointer { mine in
      other.slice.withUnsafeBufferPointer { compareBytes(mine, $0) == 0 }
    }
  }
}

// MARK: - What lists need

extension StoredEntity {
  var kind: Kind { Kind.allCases[Int(number(at: Place.kind) as UInt8)] }
  var unit: Unit {
    let place = Int(number(at: Place.unit) as UInt8)
    if Unit.known.indices.contains(place) { return Unit.known[place] }
    return Unit(of: self[kind == .inventoryItem ? .quantity : .unit], in: kind)
  }
  var createdAt: Instant { Instant(milliseconds: number(at: Place.createdAt)) }
  var updatedAt: Instant { Instant(milliseconds: number(at: Place.updatedAt)) }
  /// The sum of the ledger in the entity's unit.
  var quantity: Number { Number(billionths: number(at: Place.quantity)) }
  /// The count from which an item's total goes.
  var anchor: Anchor? { marks & 4 == 0 ? nil : Anchor(at: begins, beyond: given) }
  /// The earliest time in a batch's ledger; before all times if it has a page.
  var begins: Instant { Instant(milliseconds: number(at: Place.totalMoment)) }
  /// See ``Entity/given``.
  var given: Number { Number(billionths: number(at: Place.totalNumber)) }
  private var marks: UInt8 { number(at: Place.marks) }
  var isTombstone: Bool { marks & 1 != 0 }
  var showsLoose: Bool { marks & 2 != 0 }
  var id: String { withID { String(decoding: $0, as: UTF8.self) } }
  var idLength: Int { size(at: Place.idLength) }

  /// Returns the order of the id's bytes and other bytes: below zero if the id comes first.
  func compareID(_ other: UnsafeBufferPointer<UInt8>) -> Int { withID { compareBytes($0, other) } }

  func withID<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[idStart..<(idStart + idLength)]))
    }
  }
}

/// The part of an item or a batch in the item's total, beside its quantity: a time and a number.
private struct TotalPart {
  var moment: Instant = .earliest
  var number: Number = .zero
  var isAnchor = false

  init(_ entity: Entity) {
    switch Schema.of(entity.kind).quantity {
    case .loose:
      guard let anchor = entity.anchor else { return }
      (moment, number, isAnchor) = (anchor.at, anchor.beyond, true)
    case .nested:
      let ledger = entity.ledger
      moment = ledger.pageFrom == nil ? ledger.entries.first?.at ?? .latest : .earliest
      number = entity.given
    case nil: return
    }
  }
}

// MARK: - Single fields

extension StoredEntity {
  /// The value of a field; nil if the entity has none.
  subscript(name: FieldName) -> JSON? {
    let written = find(name) { $0.ownValue(at: $1) }
    guard kind == .inventoryItem else { return written }
    if name == .status, written == Self.consumed { return Self.active }
    guard name == .quantity, case .object(let members)? = written else { return written }
    return .object(members.filter { $0.key != FieldName.value.text })
  }

  func register(_ name: FieldName) -> Register? {
    let (value, stamp) = (self[name], stamp(of: name))
    guard value != nil || stamp != nil else { return nil }
    return Register(name, value, stamp: stamp ?? createdAt)
  }

  /// Returns the text of a field, or of a member of its object.
  func text(_ name: FieldName, _ member: FieldName?) -> String? {
    if kind == .inventoryItem, member == nil, name == .status { return self[name]?.string }
    return find(name, member) { $0.string(at: $1) }
  }

  /// Returns the value of a member of a field's object.
  func value(_ name: FieldName, _ member: FieldName) -> JSON? {
    // The number follows from the ledger.
    if kind == .inventoryItem, name == .quantity, member == .value { return nil }
    return find(name, member) { $0.innerValue(at: $1) }
  }

  /// The whole entity, decoded.
  var fields: Entity.Fields {
    do {
      let file = try EntityFile(kind, parsing: text)
      return Entity(file, id: id, createdAt: createdAt).fields
    } catch {
      // Never: a text is kept only if it was read before.
      return Entity.Fields(id: id, createdAt: createdAt)
    }
  }

  /// A batch that is used up is active, and its file says that it is consumed.
  private static let (consumed, active) = (JSON.string("consumed"), JSON.string("active"))

  private func stamp(of name: FieldName) -> Instant? {
    let edited = size(at: Place.edited)
    guard edited != 0 else { return nil }
    return withText { text in
      CanonicalText.finding(name.text) { text.member($0, of: edited) }
        .flatMap { text.string(at: $0) }.flatMap { Instant($0) }
    }
  }

  /// Runs `body` with the text and the offset of the value of a field, or of a member of its object; nil
  /// if there is no such value.
  private func find<Value>(
    _ name: FieldName, _ member: FieldName? = nil, _ body: (CanonicalText, Int) -> Value?
  ) -> Value? {
    withText { text in
      guard let value = CanonicalText.finding(name.text, { field($0, in: text) }) else {
        return nil
      }
      guard let member else { return body(text, value) }
      return CanonicalText.finding(member.text) { text.member($0, of: value) }
        .flatMap { body(text, $0) }
    }
  }

  private func withText<Value>(_ body: (CanonicalText) -> Value) -> Value {
    bytes.withUnsafeBytes { all in
      body(CanonicalText(UnsafeRawBufferPointer(rebasing: all[(idStart + idLength)..<end])))
    }
  }

  private func field(_ key: UnsafeBufferPointer<UInt8>, in text: CanonicalText) -> Int? {
    let (hash, count) = (CanonicalText.hash(key), size(at: Place.fields))
    let hashes = start + Place.table
    for field in 0..<count where bytes[hashes + field] == hash {
      let value = bytes.size(at: hashes + count + 4 * field)
      if text.hasOwnKey(key, at: value) { return value }
    }
    return nil
  }
}
