/// What holds for any bytes whatever; what a fuzzer tries to break, and the corpus tries every time.
public enum Law: String, CaseIterable, Sendable {
  /// Reading and writing JSON.
  case json
  /// Reading an entity's file and writing it.
  case entity
  /// Adopting a file that is new, and one against another; git's merge of two against a third.
  case adoption
  /// Joining versions of one entity.
  case join

  /// Throws what is broken; whatever can't be read at all breaks nothing.
  public func check(_ bytes: [UInt8]) throws(BrokenLaw) {
    switch self {
    case .json: try JSONLaws(text: bytes).check()
    case .entity: try EntityLaws(Versions(bytes)).check()
    case .adoption: try AdoptionLaws(Versions(bytes)).check()
    case .join: try JoinLaws(Versions(bytes)).check()
    }
  }
}

/// A law that some bytes break.
public struct BrokenLaw: Error, CustomStringConvertible {
  public let description: String

  init(_ law: String, _ texts: [UInt8]...) {
    description = ([law] + texts.map { String(decoding: $0, as: UTF8.self) })
      .joined(separator: "\n--\n")
  }
}
