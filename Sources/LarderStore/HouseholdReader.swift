internal import LarderGit
internal import LarderJSON
internal import LarderModel

/// Decodes files.
enum HouseholdReader {
  /// 16 MiB, past which no file is read.
  static let largest = 16 * 1024 * 1024

  static func written(_ path: String, _ bytes: ArraySlice<UInt8>) -> WrittenFile? {
    guard let kind = Kind(path: path) else { return nil }
    if let fault = PathRule.fault(in: path) {
      let mistakes = FileMistakes([.badPath(fault)])
      return key(kind, bytes).map { .misplaced(mistakes, of: [$0]) } ?? .unreadable(mistakes)
    }
    guard bytes.count <= largest else {
      return .unreadable(FileMistakes([.tooLarge(bytes: bytes.count)]))
    }
    do {
      return .readable(try EntityFile(kind, parsing: bytes))
    } catch {
      return .unreadable(error)
    }
  }

  /// The entity that a file names; nil where it names none.
  static func key(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> EntityKey? {
    guard bytes.count <= largest, let json = try? JSON(parsing: bytes) else { return nil }
    return json["id"]?.string.map { EntityKey(kind, $0) }
  }

  /// A household of files that stand as they are, as those of a commit of Larder's do, and of
  /// `others` that have a name of ours and are no ordinary files.
  static func standing(_ files: [Decoding.File], others: [String]) -> Household {
    var household = Household()
    household.reserve(files.count)
    for (file, decoded) in zip(files, Decoding(files).results) {
      household.take(decoded, at: file.path)
    }
    for path in others { household.unreadable[path] = FileMistakes([.notAFile]) }
    return household
  }

  /// What a file holds that stands as it is.
  static func decoded(_ path: String, _ bytes: ArraySlice<UInt8>) -> Result<Entity, FileMistakes> {
    decoded(written(path, bytes))
  }

  /// The entity of a file that stands as it is.
  static func decoded(_ file: WrittenFile?) -> Result<Entity, FileMistakes> {
    switch file {
    case .readable(let file):
      guard file.isComplete, let entity = Entity(file) else {
        return .failure(FileMistakes([.incomplete]))
      }
      return .success(entity)
    case .unreadable(let mistakes), .misplaced(let mistakes, _): return .failure(mistakes)
    case nil: return .failure(FileMistakes([.notAFile]))
    }
  }
}

extension FileMistakes {
  /// Whether a file has lost what it said, other than one whose id another file has.
  var isBroken: Bool {
    !all.contains { mistake in
      if case .duplicateID = mistake { true } else { false }
    }
  }
}

extension Household {
  var hasDuplicates: Bool { unreadable.values.contains { !$0.isBroken } }

  /// Takes what a file holds; of two files with one id the one with the smaller path has it.
  mutating func take(_ decoded: Result<Entity, FileMistakes>, at path: String) {
    switch decoded {
    case .failure(let mistakes): unreadable[path] = mistakes
    case .success(let entity):
      guard let other = self.path(of: entity.key), other != path else {
        put(entity, at: path)
        return
      }
      let (home, copy) = other < path ? (other, path) : (path, other)
      if home == path { put(entity, at: path) }
      unreadable[copy] = FileMistakes([.duplicateID(entity.id, path: home)])
    }
  }
}
