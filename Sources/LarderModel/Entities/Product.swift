internal import LarderJSON

/// An entry of the catalogue: what a barcode stands for.
public struct Product: EntityView {
  public static let kind = Kind.product
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var title: String {
    get { entity.title }
    set { set(.title, newValue) }
  }

  public var brand: String? {
    get { entity[.brand]?.string }
    set { set(.brand, newValue) }
  }

  /// The address of a picture.
  public var imageURL: String? {
    get { entity[.imageURL]?.string }
    set { set(.imageURL, newValue) }
  }

  /// The numbers under its barcodes, without the one in its id.
  public var barcodes: [String] {
    get { entity[.barcodes]?.array?.compactMap(\.string) ?? [] }
    set { set(.barcodes, newValue.isEmpty ? nil : .array(newValue.map { .string($0) })) }
  }

  /// The content of one pack; nil if it is not known.
  public var packSize: Quantity? {
    get { entity.packSize }
    set {
      set(.packSize, newValue?.value.json)
      set(.unit, newValue?.unit.rawValue)
    }
  }

  /// The number of days that it keeps once it is open; nil if it is not known.
  public var bestAfterOpeningDays: Int? {
    get { entity.bestAfterOpeningDays }
    set { set(.bestAfterOpeningDays, newValue.map { .number(String($0)) }) }
  }

  /// Whether it is archived, which is how it is deleted.
  public var isArchived: Bool {
    get { entity.isTombstone }
    set { set(.isArchived, .bool(newValue)) }
  }
}
