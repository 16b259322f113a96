internal import Dispatch
internal import Synchronization

/// Returns the results of a function for each number below `count`, computed on all cores.
///
/// Few results are computed at once, because other threads take time to start.
func concurrentMap<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
  let size = 256
  guard count > size else { return (0..<count).map(body) }
  let chunks = Mutex([[Result]](repeating: [], count: (count + size - 1) / size))
  DispatchQueue.concurrentPerform(iterations: (count + size - 1) / size) { chunk in
    let results = (chunk * size..<min(count, (chunk + 1) * size)).map(body)
    chunks.withLock { $0[chunk] = results }
  }
  return chunks.withLock { Array($0.joined()) }
}
