/// The numbers of things that an import of Grocy's answers made.
public struct GrocyReport: Equatable, Sendable {
  public internal(set) var items = 0
  public internal(set) var locations = 0
  /// The stock entries that were added.
  public internal(set) var stock = 0
  public internal(set) var listed = 0
  /// Names of products whose items were here already; these items stay as they are.
  public internal(set) var known: [String] = []
  /// Grocy's units that became pieces, because their name is no unit or their answer is missing.
  public internal(set) var unknownUnits: [String] = []
  /// The answers that were left out, by their names: nothing here is like them.
  public internal(set) var others: [String] = []
  /// The things that were left out, as they lack what they need.
  public internal(set) var empty: [Empty] = []
  /// The barcodes that were left out, as they are no numbers of GS1.
  public internal(set) var oddBarcodes: [String] = []
  /// The barcodes of packs whose content no answer has.
  public internal(set) var unknownPacks: [UnknownPack] = []

  /// A thing of Grocy's with an empty value.
  public struct Empty: Equatable, Sendable {
    public let sort: GrocyAnswers.Sort
    public let id: String
    public let key: String
  }

  /// A pack whose content is not known in the unit of its item.
  public struct UnknownPack: Equatable, Sendable {
    public let barcode: String
    public let product: String
    /// Grocy's name of the pack's unit.
    public let unit: String
  }
}
