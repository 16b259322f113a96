internal import LarderGit
internal import LarderJSON
internal import LarderModel
internal import LarderText

/// The decoding of files.
enum HouseholdReader {
  /// The largest file that is read, in bytes: 16 MiB.
  static let largest = 16 * 1024 * 1024

  static func written(_ path: FilePath, _ bytes: ArraySlice<UInt8>) -> WrittenFile? {
    guard let kind = Kind(path: path) else { return nil }
    if let fault = PathRule.fault(in: path) {
      let mistakes = FileMistakes([.badPath(fault)])
      return key(kind, bytes).map { .misplaced(mistakes, of: [$0]) } ?? .broken(mistakes)
    }
    guard bytes.count <= largest else {
      return .broken(FileMistakes([.tooLarge(bytes: bytes.count)]))
    }
    do {
      return .readable(try EntityFile(kind, parsing: bytes))
    } catch {
      return .broken(error)
    }
  }

  /// Returns a file that may be too large to be read.
  static func written(_ path: FilePath, _ bytes: Result<[UInt8], FileMistakes>) -> WrittenFile? {
    switch bytes {
    case .success(let bytes): written(path, bytes[...])
    case .failure(let mistakes): .broken(mistakes)
    }
  }

  /// Returns the entity that a file names, or nil if it names none.
  static func key(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> EntityKey? {
    guard bytes.count <= largest, let json = try? JSON(parsing: bytes) else { return nil }
    return json[.id]?.string.map { EntityKey(kind, $0) }
  }

  /// Decodes a complete file that needs no adoption.
  static func decoded(_ path: FilePath, _ bytes: ArraySlice<UInt8>) -> Result<Entity, FileMistakes>
  {
    decoded(written(path, bytes))
  }

  /// Returns the entity of a complete file that needs no adoption.
  static func decoded(_ file: WrittenFile?) -> Result<Entity, FileMistakes> {
    switch file {
    case .readable(let file):
      guard file.isComplete, let entity = Entity(file) else {
        return .failure(FileMistakes([.incomplete]))
      }
      return .success(entity)
    case .broken(let mistakes), .misplaced(let mistakes, _): return .failure(mistakes)
    case nil: return .failure(FileMistakes([.notAFile]))
    }
  }
}

extension Household {
  /// Returns a file of a tree as written, without reading it; nil if it is not in canonical form.
  func canonicalFile(_ entry: TreeEntry) -> WrittenFile? {
    guard let bytes = key(at: entry.path).flatMap({ self[$0]?.fileBytes }),
      Repository.blobID(of: bytes) == entry.id
    else { return nil }
    return HouseholdReader.written(entry.path, bytes[...])
  }

  var hasDuplicates: Bool { untaken.values.contains { !$0.hasNoMeaning } }

  /// Adds a decoded file; of two files with one id, the one with the smaller path counts.
  mutating func take(_ decoded: Result<Entity, FileMistakes>, at path: FilePath) {
    switch decoded {
    case .failure(let mistakes): untaken[path] = mistakes
    case .success(let entity):
      guard let other = self.path(of: entity.key), other != path else {
        put(entity, at: path)
        return
      }
      let (home, copy) = other < path ? (other, path) : (path, other)
      if home == path { put(entity, at: path) }
      untaken[copy] = FileMistakes([.duplicateID(entity.id, path: home)])
    }
  }
}
