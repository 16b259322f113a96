internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
  /// Returns the results of a function for all elements in their order, computed on all cores.
  ///
  /// Few results are computed at once, because other threads take time to start.
  package func concurrentMap<Result: Sendable>(_ body: @Sendable (Element) -> Result) -> [Result] {
    concurrentMap(inChunksOf: 256) { $0.map(body) }.flatMap(\.self)
  }

  /// Returns the results of a function for parts of this many elements, computed on all cores.
  ///
  /// The last part may be smaller.
  package func concurrentMap<Result: Sendable>(
    inChunksOf size: Int, _ body: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    guard count > size else { return isEmpty ? [] : [body(self[...])] }
    let chunks = (count + size - 1) / size
    let results = Mutex([Result?](repeating: nil, count: chunks))
    DispatchQueue.concurrentPerform(iterations: chunks) { chunk in
      let result = body(self[(chunk * size)..<Swift.min(count, (chunk + 1) * size)])
      results.withLock { $0[chunk] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
