internal import Dispatch
internal import LarderModel
internal import Synchronization

/// A concurrent decoding of files on all cores.
final class Decoding: Sendable {
  typealias File = (path: String, bytes: ArraySlice<UInt8>)

  private let files: [File]
  private let chunks: Mutex<[[Result<Entity, FileMistakes>]]>
  private let end = DispatchGroup()

  private static let chunkSize = 256

  init(_ files: [File]) {
    self.files = files
    let count = (files.count + Decoding.chunkSize - 1) / Decoding.chunkSize
    chunks = Mutex(Array(repeating: [], count: count))
    guard count > 1 else {
      for chunk in 0..<count { decode(chunk) }
      return
    }
    DispatchQueue.global(qos: .userInitiated).async(group: end) {
      DispatchQueue.concurrentPerform(iterations: count) { self.decode($0) }
    }
  }

  /// The results in the order of the files; waits until all files are decoded.
  var results: [Result<Entity, FileMistakes>] {
    end.wait()
    return chunks.withLock { Array($0.joined()) }
  }

  private func decode(_ chunk: Int) {
    let start = chunk * Decoding.chunkSize
    let decoded = files[start..<min(files.count, start + Decoding.chunkSize)].map {
      HouseholdReader.decoded($0.path, $0.bytes)
    }
    chunks.withLock { $0[chunk] = decoded }
  }
}
