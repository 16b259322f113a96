internal import LarderJSON
internal import LarderText

/// The copies that programs leave beside a file when they sync folders.
///
/// Such a copy is another version of the file's entity, and never an entity of its own.
extension HouseholdAdoption {
  /// Whether a new file's name alone says that it is such a copy.
  func isNamedAsSyncCopy(_ path: FilePath) -> Bool {
    !isMerge && edit.before.key(at: path) == nil && path.saysSyncCopy
  }

  /// Whether a file that has another file's id is another version of that entity.
  ///
  /// It is if it lies beside the entity's file, in a folder or under a name with something behind it,
  /// and nobody has made another thing of it by hand. What a program wrote on another device has a stamp of its
  /// own, and is no such edit.
  func isSyncCopy(_ copy: Arrival, keeper: Arrival?) -> Bool {
    let homes = [edit.before.path(of: copy.key), keeper?.path].compactMap(\.self)
    guard homes.contains(where: { copy.path.lies(beside: $0) }) else { return false }
    return !Schema.of(copy.key.kind).telling.contains { isEdited($0, in: copy, keeper: keeper) }
  }

  private func isEdited(_ name: FieldName, in copy: Arrival, keeper: Arrival?) -> Bool {
    let known = edit.before[copy.key]?.decoded
    let stamp = copy.file.stamp(of: name, since: known?.createdAt)
    // Known versions are asked first: the history is long.
    var isStampKnown = false
    func isOf(_ value: JSON?, _ other: Instant?) -> Bool {
      guard other == stamp else { return false }
      isStampKnown = true
      return value == copy.file[name]
    }
    if let known, isOf(known[name], known.register(name)?.stamp ?? known.createdAt) {
      return false
    }
    if let file = keeper?.file, isOf(file[name], file.stamp(of: name, since: known?.createdAt)) {
      return false
    }
    guard known != nil, let home = edit.before.path(of: copy.key) else { return isStampKnown }
    for version in source.history(home)
    where isOf(version.file[name], version.file.stamp(of: name, since: nil)) && version.isTaken() {
      return false
    }
    return isStampKnown
  }
}

extension Schema {
  /// The fields by which people tell a thing from others of its kind.
  fileprivate var telling: [FieldName] {
    switch kind {
    case .inventoryItem: [.productRef, .expiryInfo, .storageLocationID, .lotOrBatchCode]
    case .shoppingListEntry: [.itemID, .name]
    case .receipt: [.shopName, .timestamp]
    case .household, .stockItem, .storageLocation, .product: [title ?? .name]
    }
  }
}

extension EntityFile {
  /// The time of a field's last write, as far as the file says.
  fileprivate func stamp(of name: FieldName, since creation: Instant?) -> Instant? {
    stampNamed(name) ?? createdAt ?? creation
  }
}

extension FilePath {
  /// Whether a name in the path has a mark that programs for syncing folders give the copies which
  /// they leave of conflicts: no name that Larder makes has one.
  var saysSyncCopy: Bool {
    names.contains { name in
      let plain = name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
      guard let begin = plain.firstIndex(where: { Self.openings.contains($0) }) else {
        return false
      }
      let mark = String(decoding: plain[begin...], as: UTF8.self)
      return ["confli", "konfli", "case clash"].contains { mark.contains($0) }
    }
  }

  private static let openings = Array("._([".utf8)

  /// Whether one of its names, without `.json`, is the one of another path with something behind it
  /// that begins with neither a letter nor a digit, while all other names are the same.
  func lies(beside home: FilePath) -> Bool {
    guard utf8.count > home.utf8.count, utf8.first == home.utf8.first else { return false }
    let pairs = zip(stems, home.stems).filter { !$0.elementsEqual($1) }
    guard stems.count == home.stems.count, pairs.count == 1, let (own, other) = pairs.first,
      own.starts(with: other), let first = own.dropFirst(other.count).first
    else { return false }
    let isLetter = (65...90).contains(first) || (97...122).contains(first)
    return first < 128 && !isLetter && !(48...57).contains(first)
  }

  /// The bytes of the names, the last one without `.json`.
  private var stems: [ArraySlice<UInt8>] {
    Array(utf8.dropLast(5)).split(separator: UInt8(ascii: "/"))
  }
}
