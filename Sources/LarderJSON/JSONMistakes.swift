/// All mistakes found in a text.
public struct JSONMistakes: Error, Sendable {
  /// The mistakes in order of position: at least 1, at most the first 20.
  public var all: [JSONMistake]
}
