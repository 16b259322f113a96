internal import LarderJSON

/// A place where things are kept.
public struct StorageLocation: EntityView {
  public static let kind = Kind.storageLocation
  public var entity: Entity

  public init(entity: Entity) { self.entity = entity }

  public var name: String {
    get { entity.title }
    set { set(.name, newValue) }
  }

  /// Whether it is a fridge or a freezer.
  public var isColdStorage: Bool {
    get { entity.flag(.isColdStorage) }
    set { set(.isColdStorage, .bool(newValue)) }
  }

  /// Whether it is archived, which is how it is deleted.
  public var isArchived: Bool {
    get { entity.isTombstone }
    set { set(.isArchived, .bool(newValue)) }
  }
}

extension Edit {
  /// Adds a storage location.
  @discardableResult
  public mutating func addLocation(
    _ name: String, isColdStorage: Bool = false, by writer: Writer
  ) -> StorageLocation {
    let location = new(
      .storageLocation, [(.name, .string(name)), (.isColdStorage, .bool(isColdStorage))],
      by: writer)
    put(location)
    return StorageLocation(entity: location)
  }
}
