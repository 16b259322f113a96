/// Everything found wrong with a text, in one go.
public struct JSONMistakes: Error, Sendable {
  /// The mistakes in order of position: at least one, and the first 20 at most.
  public var all: [JSONMistake]
}
