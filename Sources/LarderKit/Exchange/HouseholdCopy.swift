public import LarderModel
internal import LarderStore

/// All things of a household in one JSON text, without its history.
///
/// The text is an object with `version` and `files`. Each file has a `path` and its `content` as
/// FORMAT.md describes it, with stamps and ledgers, so nothing is lost.
public struct HouseholdCopy: Sendable {
  /// The version of this text format.
  public static let version = "1"
  /// The largest text that can be read, in bytes.
  public static let mostBytes = 512 << 20

  /// Each thing with the path of its file.
  let entities: [(entity: Entity, path: FilePath)]

  /// The number of things, the household itself included.
  public var count: Int { entities.count }

  /// Creates the copy of a household.
  ///
  /// Throws `StoreError.untaken` if a file is broken or refused, because the copy would lack it.
  public init(of household: Household) throws(StoreError) {
    if let (path, mistakes) = household.untaken.min(by: { $0.key < $1.key }) {
      throw .untaken(path: path, mistakes)
    }
    entities = household.entities.compactMap { entity in
      household.path(of: entity.key).map { (entity, $0) }
    }.sorted(byBytesOf: \.path.text)
  }

  /// The text, with one line for each file.
  public var bytes: [UInt8] {
    var bytes = Array("{\"version\":\(Self.version),\"files\":[".utf8)
    for (index, (entity, path)) in entities.enumerated() {
      bytes += index == 0 ? [10] : [UInt8(ascii: ","), 10]
      let file: JSON = ["path": .string(path.text), "content": entity.json]
      bytes += file.compact()
    }
    return bytes + Array("\n]}\n".utf8)
  }
}

extension HouseholdCopy {
  /// Reads a text, in any layout; throws all mistakes.
  public init(_ text: [UInt8]) throws(ImportMistakes) {
    let parts = FileParts(text)
    var mistakes = ImportMistakes()
    var frame: JSON?
    do throws(JSONMistake) {
      frame = try JSON(parsing: parts.frame)
    } catch {
      let offset = parts.offset(inFrame: error.position.offset)
      mistakes.note(ImportMistake(.json(error)).at(offset, in: text))
    }
    if let frame {
      guard frame["files"]?.array != nil, let version = frame["version"]?.number else {
        throw ImportMistakes(.noCopy)
      }
      guard version == Self.version else { throw ImportMistakes(.newerCopy(version)) }
    }
    var found: [(entity: Entity, path: FilePath)] = []
    var keys: Set<EntityKey> = []
    var paths: Set<FilePath> = []
    for range in parts.elements {
      do throws(PartMistakes) {
        let (entity, path) = try Self.file(text[range])
        guard keys.insert(entity.key).inserted, paths.insert(path).inserted else {
          throw PartMistakes(all: [.fileTwice(path)])
        }
        found.append((entity, path))
      } catch {
        for reason in error.all {
          mistakes.note(ImportMistake(reason).at(range.lowerBound + error.offset, in: text))
        }
      }
      guard !mistakes.isFull else { break }
    }
    try mistakes.refuse()
    guard found.contains(where: { $0.entity.kind == .household }) else {
      throw ImportMistakes(.noHousehold)
    }
    entities = found
  }

  /// The mistakes in one file, and their offset in it.
  private struct PartMistakes: Error {
    let all: [ImportMistake.Reason]
    var offset = 0
  }

  /// Returns the thing in one file.
  private static func file(
    _ bytes: ArraySlice<UInt8>
  ) throws(PartMistakes) -> (entity: Entity, path: FilePath) {
    let json = try mapError(try JSON(parsing: bytes)) {
      PartMistakes(all: [.json($0)], offset: $0.position.offset)
    }
    guard let text = json["path"]?.string, let content = json["content"] else {
      throw PartMistakes(all: [.noFile])
    }
    let path = FilePath(text)
    guard let kind = Kind(path: path), PathRule.fault(in: path) == nil else {
      throw PartMistakes(all: [.noPath(path)])
    }
    do throws(FileMistakes) {
      let file = try EntityFile(kind, content)
      guard file.isComplete, let entity = Entity(file) else { throw FileMistakes([.incomplete]) }
      return (entity, path)
    } catch {
      throw PartMistakes(all: error.all.map { .file(path, $0) })
    }
  }
}

/// The places of the files in a copy's text.
///
/// They are found without parsing the whole text, which may be too large for one JSON value.
private struct FileParts {
  /// The text without the content of its list of files.
  private(set) var frame: [UInt8] = []
  private(set) var elements: [Range<Int>] = []
  private var cut = 0..<0

  init(_ text: [UInt8]) {
    guard let list = Self.list(in: text) else {
      frame = text.count <= JSON.largestText ? text : Array(text.prefix(JSON.largestText))
      return
    }
    elements = list.elements
    cut = list.range
    frame = Array(text[..<cut.lowerBound] + text[cut.upperBound...])
  }

  func offset(inFrame offset: Int) -> Int {
    offset <= cut.lowerBound ? offset : offset + cut.count
  }

  /// Returns the places of the list's elements, and the range between its brackets; nil without a
  /// list.
  ///
  /// The list is a member of the outermost object.
  private static func list(in text: [UInt8]) -> (elements: [Range<Int>], range: Range<Int>)? {
    var depth = 0
    var isString = false
    var isEscaped = false
    var begin: Int?
    var element: Int?
    var elements: [Range<Int>] = []
    for (index, byte) in text.enumerated() {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      let isSpace = byte == 32 || (9...13).contains(byte)
      if depth == 2, begin != nil, element == nil, !isSpace, byte != UInt8(ascii: "]"),
        byte != UInt8(ascii: ",")
      {
        element = index
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 1, byte == UInt8(ascii: "["), begin == nil { begin = index + 1 }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","):
        if depth == 2, let begin, byte != UInt8(ascii: "}") {
          if let start = element { elements.append(start..<index) }
          element = nil
          if byte == UInt8(ascii: "]") { return (elements, begin..<index) }
        }
        if byte != UInt8(ascii: ",") { depth -= 1 }
      default: break
      }
    }
    return nil
  }
}

extension Larder {
  /// Imports a copy of a household in one commit, after adopting what people edited.
  ///
  /// An empty household becomes the copied one, with the same files. Any other household joins with
  /// the copy as two devices join: nothing is lost, and the later write of a field wins. If the
  /// copy is of another household, this one keeps its id and settings, and the copied things become
  /// its own.
  ///
  /// Throws `StoreError.newerFormat`.
  public func take(_ copy: HouseholdCopy) throws -> Outcome {
    let writing = try store.take(
      copy.entities, subject: "import \(copy.count) things of a copy", context.command,
      adopted: tell)
    heard(writing)
    let before = Survey(writing.base.household, now: context.now())
    let after = Survey(writing.household, now: context.now())
    return Outcome(writing: writing, before: before, after: after, own: writing.changed)
  }
}
