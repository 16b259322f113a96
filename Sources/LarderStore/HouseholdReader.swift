internal import Dispatch
internal import LarderGit
internal import LarderModel

/// Decodes files; many of them on all cores.
enum HouseholdReader {
  static func written(_ path: String, _ bytes: [UInt8]) -> WrittenFile? {
    guard let kind = Kind(path: path) else { return nil }
    do {
      return .readable(try EntityFile(kind, parsing: bytes))
    } catch {
      return .unreadable(error)
    }
  }

  /// A household of files that stand as they are, as those of a commit of Larder's do.
  static func standing(_ files: [(path: String, bytes: [UInt8])]) -> Household {
    var household = Household()
    household.reserve(files.count)
    let entities = decoded(files)
    for (file, decoded) in zip(files, entities) { household.take(decoded, at: file.path) }
    return household
  }

  /// What a file holds that stands as it is.
  static func decoded(_ path: String, _ bytes: [UInt8]) -> Result<Entity, FileMistakes> {
    switch written(path, bytes) {
    case .readable(let file):
      guard file.isComplete, let entity = Entity(file) else {
        return .failure(FileMistakes([.incomplete]))
      }
      return .success(entity)
    case .unreadable(let mistakes): return .failure(mistakes)
    case nil: return .failure(FileMistakes([.notAFile]))
    }
  }

  private static func decoded(_ files: [(path: String, bytes: [UInt8])])
    -> [Result<Entity, FileMistakes>]
  {
    let size = 256
    let chunks = (files.count + size - 1) / size
    guard chunks > 1 else { return files.map { decoded($0.path, $0.bytes) } }
    let results = ChunkedResults(count: chunks)
    DispatchQueue.concurrentPerform(iterations: chunks) { chunk in
      let range = (chunk * size)..<min(files.count, (chunk + 1) * size)
      results.set(chunk, files[range].map { decoded($0.path, $0.bytes) })
    }
    return results.all
  }
}

/// Collects what several threads decode, each chunk by one of them.
private final class ChunkedResults: @unchecked Sendable {
  private var chunks: [[Result<Entity, FileMistakes>]]
  private let queue = DispatchQueue(label: "larder.decoded")

  init(count: Int) {
    chunks = Array(repeating: [], count: count)
  }

  func set(_ index: Int, _ results: [Result<Entity, FileMistakes>]) {
    queue.sync { chunks[index] = results }
  }

  var all: [Result<Entity, FileMistakes>] { queue.sync { Array(chunks.joined()) } }
}

extension Household {
  /// The paths of files whose id another file has.
  var copies: [String] {
    unreadable.compactMap { path, mistakes in
      if case .duplicateID? = mistakes.all.first { path } else { nil }
    }
  }

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
