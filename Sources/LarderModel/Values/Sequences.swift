internal import Dispatch
internal import Foundation
internal import LarderJSON
internal import LarderText
internal import Synchronization

extension Array {
  /// Returns the elements by a text, without regard to case and accents, then by id, and then in
  /// their order.
  package func sorted(
    byText text: (Element) -> String, thenID id: (Element) -> String = { _ in "" }
  ) -> [Element] {
    let texts = map { fold(text($0)) }
    return sorted(byBeginnings: texts.map { beginning(of: composed($0)) }) { one, other in
      if texts[one] != texts[other] { return texts[one] < texts[other] }
      return (id(self[one]), one) < (id(self[other]), other)
    }
  }

  /// Returns the elements by the bytes of a text, then in their order.
  package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let texts = map(text)
    return sorted(byBeginnings: texts.map(beginning)) { one, other in
      texts[one].hasSameBytes(as: texts[other])
        ? one < other : JSON.precedes(texts[one], texts[other])
    }
  }

  /// Returns the elements by the beginnings of their texts; `precedes` compares the places of two
  /// with the same beginning.
  private func sorted(
    byBeginnings beginnings: [UInt128], _ precedes: (Int, Int) -> Bool
  ) -> [Element] {
    // An element is moved once, and not with each comparison.
    indices.sorted { one, other in
      beginnings[one] == beginnings[other]
        ? precedes(one, other) : beginnings[one] < beginnings[other]
    }
    .map { self[$0] }
  }
}

/// Returns the first 16 bytes of a text; their order is that of the texts' bytes.
private func beginning(of text: String) -> UInt128 {
  var text = text
  return text.withUTF8 { utf8 in
    var beginning: UInt128 = 0
    withUnsafeMutableBytes(of: &beginning) { $0.copyBytes(from: utf8.prefix($0.count)) }
    return UInt128(bigEndian: beginning)
  }
}

/// Returns Unicode's form NFC of a text; the order of its bytes is Swift's order of texts.
private func composed(_ text: String) -> String {
  text.utf8.contains { $0 >= 0x80 } ? text.precomposedStringWithCanonicalMapping : text
}

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
    guard count > size, hasRoomForThreads else {
      return isEmpty
        ? []
        : stride(from: 0, to: count, by: size).map { start in
          body(self[start..<Swift.min(count, start + size)])
        }
    }
    let chunks = (count + size - 1) / size
    let results = Mutex([Result?](repeating: nil, count: chunks))
    DispatchQueue.concurrentPerform(iterations: chunks) { chunk in
      let result = body(self[(chunk * size)..<Swift.min(count, (chunk + 1) * size)])
      results.withLock { $0[chunk] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}

/// Whether this process may open as many files as its threads need, and the system's own for them.
///
/// Dispatch ends the process if it can't open them.
private var hasRoomForThreads: Bool {
  let wanted = ProcessorCount.now + 8
  var opened: [Int32] = []
  defer { for descriptor in opened { close(descriptor) } }
  for _ in 0..<wanted {
    let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    // Without standard input, nothing is known; that is no lack of room.
    guard descriptor >= 0 else { return errno == EBADF }
    opened.append(descriptor)
  }
  return true
}

private enum ProcessorCount {
  static let now = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
}

/// Returns a value; if it throws, throws the error that `failure` makes of its error.
package func mapError<Value, Cause: Error, Failure: Error>(
  _ value: @autoclosure () throws(Cause) -> Value, _ failure: (Cause) -> Failure
) throws(Failure) -> Value {
  do throws(Cause) { return try value() } catch { throw failure(error) }
}
