import LarderJSON
import LarderModel

/// What holds for any three versions of one entity.
struct JoinLaws {
  let versions: Versions

  init(_ versions: Versions) {
    self.versions = versions
  }

  func check() throws(BrokenLaw) {
    guard let first = try entity(0, id: nil), let second = try entity(1, id: first.id) else {
      return
    }
    let third = try entity(2, id: first.id) ?? second
    let joined = first.joined(with: second)
    try joined.checkReadingBack()
    try hold("commutative", joined, second.joined(with: first))
    try hold("idempotent", first.joined(with: first), first)
    try hold("absorbing", joined.joined(with: first), joined)
    try hold("absorbing", second.joined(with: joined), joined)
    try hold(
      "associative", joined.joined(with: third), first.joined(with: second.joined(with: third)))
    for entry in first.ledger.entries where joined.ledger[entry.id] == nil {
      throw BrokenLaw("\(entry.id) is lost", first.fileBytes, second.fileBytes)
    }
  }

  private func hold(_ law: String, _ one: Entity, _ other: Entity) throws(BrokenLaw) {
    guard one == other, one.fileBytes == other.fileBytes else {
      throw BrokenLaw("not \(law)", one.fileBytes, other.fileBytes)
    }
  }

  /// A version, under the id of the first one; nil where it can't be read or is not whole.
  private func entity(_ number: Int, id: String?) throws(BrokenLaw) -> Entity? {
    guard let id else { return try versions.file(number).flatMap { Entity($0) } }
    guard let file = try versions.file(number), file.id != id, let known = Entity(file) else {
      return try versions.file(number).flatMap { Entity($0) }
    }
    let members = (known.json.members ?? []).map { member in
      member.key == "id" ? JSONMember("id", .string(id)) : member
    }
    do {
      return Entity(try EntityFile(known.kind, parsing: JSON.object(members).writeFile()))
    } catch {
      throw BrokenLaw("another id makes it untaken: \(error.all)", known.fileBytes)
    }
  }
}
