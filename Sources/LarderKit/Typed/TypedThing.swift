internal import LarderModel

/// A thing and its amount, as people write them: `oat milk 1.5l`, `200 g flour`.
public struct TypedThing: Equatable, Sendable {
  /// The words that name the thing.
  public var name: String
  /// The amount as it was written; nil if there is none.
  public var written: String?
  public var amount: TypedAmount?

  public init(_ name: String, written: String? = nil, amount: TypedAmount? = nil) {
    self.name = name
    self.written = written
    self.amount = amount
  }

  /// The reason why words are not things with amounts.
  public enum Mistake: Error, Equatable {
    case badAmount(String, of: String, TypedQuantity.Mistake)
    /// An amount without a thing.
    case amountAlone(String)
  }
}
