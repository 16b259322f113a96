import LarderJSON
internal import LarderText

/// An entity as the snapshot keeps it: single fields are found without decoding the others.
///
/// It begins with what lists need: the kind, the times, the unit, the quantity, and whether it is
/// deleted or shows its loose stock as such. The times of fields and of the ledger are counted from the creation.
struct PackedEntity: Sendable {
  private let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  init(_ entity: Entity) {
    var writer = PackedWriter()
    writer.number(0 as UInt32)
    writer.number(UInt8(Kind.allCases.firstIndex(of: entity.kind) ?? 0))
    writer.number(entity.unit.number)
    writer.number(entity.createdAt.milliseconds)
    writer.number(entity.updatedAt.milliseconds)
    writer.number(entity.ownQuantity.value.billionths)
    writer.number(UInt8((entity.isTombstone ? 1 : 0) + (entity.showsLoose ? 2 : 0)))
    writer.text(entity.id)
    writer.count(UInt(entity.registers.count))
    for register in entity.registers {
      let number = Vocabulary.names.number(of: register.name)
      writer.count(number)
      if number == 0 { writer.text(register.name.text) }
      writer.time(register.stamp, since: entity.createdAt)
      writer.value(register.value)
    }
    let ledger = entity.ledger
    writer.number(UInt8(ledger.pageFrom == nil ? 0 : 1))
    if let pageFrom = ledger.pageFrom { writer.time(pageFrom, since: entity.createdAt) }
    writer.count(UInt(ledger.entries.count))
    for entry in ledger.entries { writer.entry(entry, since: entity.createdAt) }
    writer.fill(UInt32(writer.bytes.count), at: Place.length)
    self.init(writer.bytes, at: 0)
  }

  /// The offsets of the parts that every entity has at the same place.
  private enum Place {
    static let length = 0
    static let kind = 4
    static let unit = 5
    static let createdAt = 6
    static let updatedAt = 14
    static let quantity = 22
    static let marks = 38
    static let id = 39
  }

  private func read<Value>(at place: Int, _ body: (inout PackedReader) -> Value) -> Value {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw, at: start + place)
      return body(&reader)
    }
  }

  private func number<Number: FixedWidthInteger>(at place: Int) -> Number {
    read(at: place) { $0.number() }
  }

  /// Whether another entity has the same packed bytes.
  func hasSameBytes(as other: PackedEntity) -> Bool {
    slice.withUnsafeBufferPointer { mine in
      other.slice.withUnsafeBufferPointer { compareBytes(mine, $0) == 0 }
    }
  }

  /// The packed bytes.
  var slice: ArraySlice<UInt8> { bytes[start..<(start + Int(number(at: Place.length) as UInt32))] }

  var kind: Kind { Kind.allCases[Int(number(at: Place.kind) as UInt8)] }
  var unit: Unit {
    Unit(number: number(at: Place.unit))
      ?? Unit(of: self[kind == .inventoryItem ? .quantity : .unit], in: kind)
  }
  var createdAt: Instant { Instant(milliseconds: number(at: Place.createdAt)) }
  var updatedAt: Instant { Instant(milliseconds: number(at: Place.updatedAt)) }
  /// The sum of the ledger in the entity's unit.
  var quantity: Number { Number(billionths: number(at: Place.quantity)) }
  private var marks: UInt8 { number(at: Place.marks) }
  var isTombstone: Bool { marks & 1 != 0 }
  var showsLoose: Bool { marks & 2 != 0 }
  var id: String { read(at: Place.id) { $0.text() } }
  var packedID: PackedID { read(at: Place.id) { $0.id() } }
  var idLength: Int { read(at: Place.id) { $0.textLength() } }

  /// Returns the order of the id's bytes and other bytes: below zero if the id comes first.
  func compareID(_ other: PackedText) -> Int { read(at: Place.id) { $0.compareText(other) } }

  /// The value of a field; nil if the entity has none.
  subscript(name: FieldName) -> JSON? {
    read(at: Place.id) { $0.enterField(name) == nil ? nil : $0.value() }
  }

  func register(_ name: FieldName) -> Register? {
    read(at: Place.id) { reader in
      reader.enterField(name).map { Register(name, reader.value(), stamp: createdAt.after($0)) }
    }
  }

  /// Returns the text of a field, or of a member of its object.
  func text(_ name: FieldName, _ member: FieldName?) -> String? {
    read(at: Place.id) { reader in
      guard reader.enterField(name) != nil else { return nil }
      if let member, !reader.enter(member) { return nil }
      return reader.string()
    }
  }

  /// Returns the value of a member of a field's object.
  func value(_ name: FieldName, _ member: FieldName) -> JSON? {
    read(at: Place.id) { reader in
      guard reader.enterField(name) != nil, reader.enter(member) else { return nil }
      return reader.value()
    }
  }

  /// The whole entity, decoded.
  var fields: Entity.Fields {
    let createdAt = createdAt
    let showsLoose = showsLoose
    return read(at: Place.id) { reader in
      var fields = Entity.Fields(id: reader.text(), createdAt: createdAt)
      let count = Int(reader.count())
      fields.registers.reserveCapacity(count)
      for _ in 0..<count {
        let number = reader.count()
        let name = number == 0 ? FieldName(reader.text()) : Vocabulary.names[number]
        let stamp = createdAt.after(reader.time())
        fields.registers.append(Register(name, reader.value(), stamp: stamp))
      }
      let pageFrom = reader.number(UInt8.self) == 0 ? nil : createdAt.after(reader.time())
      let entries = Int(reader.count())
      fields.ledger = Ledger(
        (0..<entries).map { _ in reader.entry(since: createdAt) }, from: pageFrom)
      fields.showsLoose = showsLoose
      return fields
    }
  }
}

extension PackedReader {
  /// Moves from the id to a field's value and returns its stamp, in milliseconds since the
  /// creation; nil if there is none.
  fileprivate mutating func enterField(_ name: FieldName) -> Int64? {
    skipText()
    let known = Vocabulary.names
    var wanted = name.text
    return wanted.withUTF8 { wanted in
      for _ in 0..<count() {
        let number = count()
        let isIt = number == 0 ? text().hasSameBytes(as: name.text) : known.has(number, wanted)
        let stamp = time()
        if isIt { return stamp }
        skipValue()
      }
      return nil
    }
  }

  /// Reads a time, in milliseconds since the creation.
  fileprivate mutating func time() -> Int64 {
    let number = count()
    return Int64(bitPattern: UInt64(number >> 1)) ^ -Int64(bitPattern: UInt64(number & 1))
  }

  private mutating func optionalText() -> String? { number(UInt8.self) == 0 ? nil : text() }

  fileprivate mutating func entry(since start: Instant) -> LedgerEntry {
    let id = text()
    let at = start.after(time())
    let event: LedgerEntry.Event
    switch number(UInt8.self) {
    case 0: event = .delta(Number(billionths: signed()))
    case 1: event = .set(Number(billionths: signed()))
    default: event = .undoes(text())
    }
    let unit = Unit(number: number()) ?? .own(text())
    let why = LedgerEntry.Reason.allCases[Int(number(UInt8.self))]
    return LedgerEntry(
      id: id, at: at, event, unit: unit, why: why, by: text(), request: optionalText(),
      receipt: optionalText(), note: optionalText(), unknown: value()?.members ?? [])
  }
}

extension PackedWriter {
  fileprivate mutating func time(_ time: Instant, since start: Instant) {
    let passed = time.milliseconds &- start.milliseconds
    count(UInt64(bitPattern: passed << 1 ^ passed >> 63))
  }

  private mutating func optionalText(_ text: String?) {
    number(UInt8(text == nil ? 0 : 1))
    if let text { self.text(text) }
  }

  fileprivate mutating func entry(_ entry: LedgerEntry, since start: Instant) {
    text(entry.id)
    time(entry.at, since: start)
    switch entry.event {
    case .delta(let number):
      self.number(0 as UInt8)
      signed(number.billionths)
    case .set(let number):
      self.number(1 as UInt8)
      signed(number.billionths)
    case .undoes(let id):
      number(2 as UInt8)
      text(id)
    }
    number(entry.unit.number)
    if case .own(let name) = entry.unit { text(name) }
    number(UInt8(LedgerEntry.Reason.allCases.firstIndex(of: entry.why) ?? 0))
    text(entry.by)
    for text in [entry.request, entry.receipt, entry.note] { optionalText(text) }
    value(entry.unknown.isEmpty ? nil : .object(entry.unknown))
  }
}

extension Unit {
  /// The number of a known unit, or the next one for a unit of one's own.
  fileprivate var number: UInt8 { UInt8(Self.known.firstIndex(of: self) ?? Self.known.count) }

  /// Creates the known unit with a number; nil for a unit of one's own.
  fileprivate init?(number: UInt8) {
    guard Self.known.indices.contains(Int(number)) else { return nil }
    self = Self.known[Int(number)]
  }
}

extension Instant {
  fileprivate func after(_ milliseconds: Int64) -> Instant {
    Instant(milliseconds: self.milliseconds &+ milliseconds)
  }
}
