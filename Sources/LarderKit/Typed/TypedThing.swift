internal import LarderModel

/// A thing and its amount, as people write them: `oat milk 1.5l`, `200 g flour`.
public struct TypedThing: Equatable, Sendable {
  /// The words that name the thing.
  public var name: String
  /// The amount as it was written; nil if there is none.
  public var written: String?
  public var amount: TypedAmount?
  /// What was taken of words that could mean something else too; nil if they are clear.
  public var remark: Remark?
  /// Whether the name is a thing's whole name, and no words to look for.
  public private(set) var isWhole = false

  public init(_ name: String, written: String? = nil, amount: TypedAmount? = nil) {
    self.name = name
    self.written = written
    self.amount = amount
  }

  /// Creates a thing with its whole name, which may have anything in it.
  public init(whole name: String, written: String?, amount: TypedAmount?) {
    self.init(name, written: written, amount: amount)
    isWhole = true
  }

  /// A reading of words that could mean something else too.
  public enum Remark: Equatable, Sendable {
    /// Words that nobody knows became things of their own; `whole` is the name of a single one.
    case separated([String], whole: String)
    /// The number in quoted words became the amount, or is a part of the name.
    case numberInName(String, isTaken: Bool)
  }

  /// The reason why words are not things with amounts.
  public enum Mistake: Error, Equatable {
    case badAmount(String, of: String, TypedQuantity.Mistake)
    /// An amount without a thing.
    case amountAlone(String)
  }
}
