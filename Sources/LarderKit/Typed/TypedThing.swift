internal import LarderModel

/// A thing and its amount, as people write them: `oat milk 1.5l`, `200 g flour`.
public struct TypedThing: Equatable, Sendable {
  /// The words that name the thing.
  public var name: String
  /// The amount as it was written; nil if there is none.
  public var written: String?
  public var amount: TypedAmount?
  /// The reading that was taken of words with several; nil if they are clear.
  public var remark: Remark?
  /// The id of the location that is named behind the thing; nil if none is.
  public var place: String?
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

  /// Whether it is a row of a list that says that nothing is there.
  public var isRowOfNothing: Bool {
    guard isWhole, case .quantity(let quantity)? = amount else { return false }
    return quantity.value <= .zero
  }

  /// A reading of words that could mean something else too.
  public enum Remark: Equatable, Sendable {
    /// Words that are no name together became things of their own; `whole` is what a single one would be
    /// called, and `amount` what was written with it.
    case separated([String], whole: String, amount: String?)
    /// The number in quoted words became the amount, or is a part of the name.
    case numberInName(String, isTaken: Bool)
    /// The amount behind a comma, whose last word may be a thing of its own.
    case behindComma(String)
  }

  /// The reason why words are not things with amounts.
  public enum Mistake: Error, Equatable {
    case badAmount(String, of: String, TypedQuantity.Mistake)
    /// An amount without a thing.
    case amountAlone(String)
  }
}

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
