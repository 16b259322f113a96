internal import LarderGit
internal import LarderModel
public import LarderText

extension Store {
  /// Returns the paths of files that are taken and not in canonical form, sorted.
  public func unformatted() throws(StoreError) -> [FilePath] {
    let loaded = try load()
    return loaded.household.entities.compactMap { entity in
      guard let path = loaded.household.path(of: entity.key),
        loaded.household.untaken[path] == nil,
        let file = loaded.workTree[path], file.blob != Repository.blobID(of: entity.fileBytes)
      else { return nil }
      return path
    }
    .sorted()
  }

  /// Adopts edits and writes every file that is taken in canonical form.
  public func reformat() throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkWritable(loaded)
      let adoption = try adopt(&loaded)
      let household = loaded.household
      let keys = Array(household.keys)
      let left = loaded.left
      let files = plan(keys, household, from: household, loaded).filter { file in
        file.isNews
          || !left.contains(file.path) && loaded.workTree[file.path]?.blob != file.blob
      }
      let message = try message("write the files in canonical form", command: "fmt")
      let head = loaded.head.commit
      let commit = try commit(
        files, parents: [head].compactMap(\.self), message, by: try signature(), &loaded)
      return Writing(
        household: household, changed: files.compactMap { household.key(at: $0.path) },
        commit: commit, adoption: adoption, base: (household, head))
    }
  }
}
