import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

extension Survey {
  /// Returns an entity as lists show it: the file without its ledger and stamps, computed values,
  /// and its path.
  func listed(_ entity: Entity, _ computed: [JSONMember] = []) -> JSON {
    let members = (entity.json.members ?? []).filter { $0.key != "changes" && $0.key != "edited" }
    let state = cloud.map { cloud in
      [
        JSONMember("syncState", .string(cloud[entity.key].rawValue)),
        JSONMember(
          "lastSyncedAt",
          cloud.lastSyncedAt(entity.key).map { .string($0.description) } ?? .null),
      ]
    }
    return .object(members + computed + [path(of: entity)] + (state ?? []))
  }

  /// Returns a whole entity: the complete file, computed values, and its path.
  func whole(_ entity: Entity, _ computed: [JSONMember] = []) -> JSON {
    .object((entity.json.members ?? []) + computed + [path(of: entity)])
  }

  private func path(of entity: Entity) -> JSONMember {
    JSONMember("path", .string(household.path(of: entity.key)?.text ?? ""))
  }
}

extension Quantity {
  /// The quantity as a nested object of the format.
  var json: JSON {
    .object([JSONMember("value", value.json), JSONMember("unit", .string(unit.rawValue))])
  }
}
