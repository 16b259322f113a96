import LarderJSON

/// An entity as the cache keeps it: single fields are found without decoding the others.
///
/// It begins with what lists need: the kind, the times, the unit and the quantity.
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
    writer.number(UInt8(Unit.allCases.firstIndex(of: entity.unit) ?? 0))
    writer.number(entity.createdAt.milliseconds)
    writer.number(entity.updatedAt.milliseconds)
    writer.number(entity.quantity.value.billionths)
    writer.number(0 as UInt32)
    writer.text(entity.id)
    writer.number(UInt32(entity.registers.count))
    for register in entity.registers {
      writer.text(register.name.text)
      writer.number(register.stamp.milliseconds)
      writer.value(register.value)
    }
    writer.fill(UInt32(writer.bytes.count), at: Place.ledger)
    writer.number(UInt32(entity.ledger.entries.count))
    for entry in entity.ledger.entries { entry.pack(into: &writer) }
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
    static let ledger = 38
    static let id = 42
  }

  private func reader(at place: Int) -> PackedReader {
    PackedReader(bytes: bytes, offset: start + place)
  }

  private func number<Number: FixedWidthInteger>(at place: Int) -> Number {
    var reader = reader(at: place)
    return reader.number()
  }

  /// The packed bytes.
  var slice: ArraySlice<UInt8> { bytes[start..<(start + Int(number(at: Place.length) as UInt32))] }

  var kind: Kind { Kind.allCases[Int(number(at: Place.kind) as UInt8)] }
  var unit: Unit { Unit.allCases[Int(number(at: Place.unit) as UInt8)] }
  var createdAt: Instant { Instant(milliseconds: number(at: Place.createdAt)) }
  var updatedAt: Instant { Instant(milliseconds: number(at: Place.updatedAt)) }
  /// The sum of the ledger in the entity's unit.
  var quantity: Number { Number(billionths: number(at: Place.quantity)) }

  var id: String {
    var reader = reader(at: Place.id)
    return reader.text()
  }

  /// Returns the order of the id's bytes and other bytes: below zero if the id comes first.
  func compareID(_ other: UnsafeBufferPointer<UInt8>) -> Int {
    var reader = reader(at: Place.id)
    return reader.compareText(other)
  }

  /// The value of a field; nil if the entity has none.
  subscript(name: FieldName) -> JSON? {
    guard var reader = reader(of: name) else { return nil }
    return reader.value()
  }

  /// Returns the text of a field, or of a member of its object.
  func text(_ name: FieldName, _ member: FieldName?) -> String? {
    guard var reader = reader(of: name) else { return nil }
    if let member, !reader.enter(member) { return nil }
    return reader.string()
  }

  /// Returns a reader before a field's value.
  private func reader(of name: FieldName) -> PackedReader? {
    var text = name.text
    let offset = text.withUTF8 { wanted in bytes.withUnsafeBytes { place(of: wanted, in: $0) } }
    return offset.map { PackedReader(bytes: bytes, offset: $0) }
  }

  /// Returns the offset of a field's value.
  private func place(of name: UnsafeBufferPointer<UInt8>, in raw: UnsafeRawBufferPointer) -> Int? {
    func number(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    var offset = start + Place.id
    offset += 4 + number(offset)
    let count = number(offset)
    offset += 4
    for _ in 0..<count {
      let length = number(offset)
      let text = offset + 4
      // After the name come its stamp, and the value's tag and length.
      offset = text + length + 8
      if length == name.count, raw[text..<(text + length)].elementsEqual(name) { return offset }
      offset += 5 + number(offset + 1)
    }
    return nil
  }

  /// The whole entity, decoded.
  var fields: Entity.Fields {
    var reader = reader(at: Place.id)
    var fields = Entity.Fields(id: reader.text(), createdAt: createdAt)
    let count = Int(reader.number(UInt32.self))
    fields.registers.reserveCapacity(count)
    for _ in 0..<count {
      let name = FieldName(reader.text())
      let stamp = Instant(milliseconds: reader.number())
      fields.registers.append(Register(name, reader.value(), stamp: stamp))
    }
    let entries = Int(reader.number(UInt32.self))
    fields.ledger = Ledger((0..<entries).map { _ in LedgerEntry(unpacking: &reader) })
    return fields
  }
}

extension LedgerEntry {
  fileprivate func pack(into writer: inout PackedWriter) {
    writer.text(id)
    writer.number(at.milliseconds)
    switch event {
    case .delta(let number):
      writer.number(0 as UInt8)
      writer.number(number.billionths)
    case .set(let number):
      writer.number(1 as UInt8)
      writer.number(number.billionths)
    case .undoes(let id):
      writer.number(2 as UInt8)
      writer.text(id)
    }
    writer.number(UInt8(Unit.allCases.firstIndex(of: unit) ?? 0))
    writer.text(why.rawValue)
    writer.text(by)
    for text in [request, receipt, note] { writer.text(text) }
    writer.value(unknown.isEmpty ? nil : .object(unknown))
  }

  fileprivate init(unpacking reader: inout PackedReader) {
    let id = reader.text()
    let at = Instant(milliseconds: reader.number())
    let event: Event
    switch reader.number(UInt8.self) {
    case 0: event = .delta(Number(billionths: reader.number()))
    case 1: event = .set(Number(billionths: reader.number()))
    default: event = .undoes(reader.text())
    }
    let unit = Unit.allCases[Int(reader.number(UInt8.self))]
    let why = Reason(rawValue: reader.text()) ?? .edit
    self.init(
      id: id, at: at, event, unit: unit, why: why, by: reader.text(),
      request: reader.optionalText(), receipt: reader.optionalText(), note: reader.optionalText(),
      unknown: reader.value()?.members ?? [])
  }
}
