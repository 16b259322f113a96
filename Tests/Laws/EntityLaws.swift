import LarderModel

/// What holds for any file of a kind.
struct EntityLaws {
  let versions: Versions

  init(_ versions: Versions) {
    self.versions = versions
  }

  func check() throws(BrokenLaw) {
    guard let file = try versions.file(0), let entity = Entity(file) else { return }
    try entity.checkReadingBack()
    guard entity.joined(with: entity) == entity else {
      throw BrokenLaw("joined with itself it changes", entity.fileBytes)
    }
    guard entity.updatedAt >= entity.createdAt else {
      throw BrokenLaw("updated before it was created", entity.fileBytes)
    }
    let cached = entity.compact
    for register in entity.registers where cached.register(register.name) != register {
      throw BrokenLaw("the cache says something else of \(register.name)", entity.fileBytes)
    }
  }
}
