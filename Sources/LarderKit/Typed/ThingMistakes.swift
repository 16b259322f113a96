/// What is wrong with several things, to be told at once.
public struct ThingMistakes: Error {
  public private(set) var all: [(name: String, error: any Error)] = []

  public init() {}

  /// Returns the value of `body`; keeps its error, if it throws, as that of a thing.
  public mutating func attempt<Value>(_ name: String, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      all.append((name, error))
      return nil
    }
  }

  /// Throws the only mistake as it is, or all of them.
  public func refuse() throws {
    guard let first = all.first else { return }
    throw all.count == 1 ? first.error : self
  }
}
