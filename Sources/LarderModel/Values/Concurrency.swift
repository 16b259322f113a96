internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
  /// Returns the results of a function for all elements in their order, computed on all cores.
  ///
  /// Few results are computed at once, because other threads take time to start.
  package func concurrentMap<Result: Sendable>(_ body: @Sendable (Element) -> Result) -> [Result] {
    let size = 256
    guard count > size else { return map(body) }
    let chunks = Mutex([[Result]](repeating: [], count: (count + size - 1) / size))
    DispatchQueue.concurrentPerform(iterations: (count + size - 1) / size) { chunk in
      let results = self[(chunk * size)..<Swift.min(count, (chunk + 1) * size)].map(body)
      chunks.withLock { $0[chunk] = results }
    }
    var all: [Result] = []
    all.reserveCapacity(count)
    chunks.withLock { for results in $0 { all += results } }
    return all
  }
}
