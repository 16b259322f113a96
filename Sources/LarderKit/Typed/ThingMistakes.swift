/// The mistakes of several things, which are reported together.
public struct ThingMistakes: Error {
  public private(set) var all: [(name: String, error: any Error)] = []

  public init() {}

  /// Returns the value of `body`; if that throws, keeps the error as a mistake of the thing.
  public mutating func attempt<Value>(_ name: String, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      all.append((name, error))
      return nil
    }
  }

  /// Throws a single mistake as it is, or several together.
  public func refuse() throws {
    guard let first = all.first else { return }
    throw all.count == 1 ? first.error : self
  }
}
