import LarderJSON
import LarderModel

/// Files of one kind in one input: a line with the kind's folder, then texts between lines of `====`.
struct Versions {
  let kind: Kind
  let texts: [[UInt8]]

  init(_ bytes: [UInt8]) {
    let newline = UInt8(ascii: "\n")
    let end = bytes.firstIndex(of: newline) ?? bytes.endIndex
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    // A fuzzer that damages the name still gets some kind.
    let place = Int(bytes.first ?? 0) % Kind.allCases.count
    kind = Kind.allCases.first { ($0.folder ?? "household") == name } ?? Kind.allCases[place]
    var texts: [[UInt8]] = [[]]
    for line in bytes[end...].dropFirst().split(
      separator: newline, omittingEmptySubsequences: false)
    {
      if line.elementsEqual("====".utf8) {
        texts.append([])
      } else {
        texts[texts.count - 1] += line + [newline]
      }
    }
    self.texts = texts
  }

  /// A text as a file; nil for one that can't be read, whose mistakes are looked at instead.
  func file(_ number: Int) throws(BrokenLaw) -> EntityFile? {
    guard texts.indices.contains(number) else { return nil }
    do {
      return try EntityFile(kind, parsing: texts[number])
    } catch {
      try check(error.all, of: texts[number])
      return nil
    }
  }

  private func check(_ mistakes: [FileMistakes.Mistake], of text: [UInt8]) throws(BrokenLaw) {
    guard !mistakes.isEmpty else { throw BrokenLaw("refused without a mistake", text) }
    for case .content(_, let position) in mistakes
    where !(0...text.count).contains(position.offset) {
      throw BrokenLaw("a mistake outside of the text", text)
    }
  }
}

extension EntityFile {
  /// What a file that Larder wrote says.
  init(written entity: Entity) throws(BrokenLaw) {
    do {
      self = try EntityFile(entity.kind, parsing: entity.fileBytes)
    } catch {
      throw BrokenLaw("what was written can't be read: \(error.all)", entity.fileBytes)
    }
  }
}

extension Entity {
  /// What is written is read back the same, and written again the same.
  func checkReadingBack() throws(BrokenLaw) {
    let bytes = fileBytes
    guard let read = Entity(try EntityFile(written: self)), read == self else {
      throw BrokenLaw("what was written reads back differently", bytes)
    }
    guard read.fileBytes == bytes else {
      throw BrokenLaw("what was written is written differently", bytes, read.fileBytes)
    }
  }
}
