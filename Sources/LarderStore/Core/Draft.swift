internal import LarderGit
internal import LarderModel
package import LarderText

/// A text that somebody is writing: a file below `.git/larder/edit`, until it is removed.
public struct Draft: Sendable {
  /// The absolute path.
  public let path: String

  public func bytes() throws(StoreError) -> [UInt8] { try SystemFile.read(path) }

  public func remove() throws(StoreError) { try SystemFile.remove(path) }
}

extension Store {
  /// Makes a draft under an unused name, because another one may still be open or kept.
  package func draft(of bytes: [UInt8], named name: String) throws(StoreError) -> Draft {
    guard let folder = deviceFolder.map({ $0 + "/edit" }) else { throw .notARepository(root: root) }
    try SystemFile.makeFolder(folder)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var path = "\(folder)/\(name)"
    var number = 1
    while FileState(of: path) != nil {
      number += 1
      path = "\(folder)/\(name[..<dot])-\(number)\(name[dot...])"
    }
    try SystemFile.replace(path, with: bytes)
    return Draft(path: path)
  }

  /// Writes a file below `.git/larder`, in place of the one with its name, and returns its path.
  package func keep(_ bytes: [UInt8], as name: String) throws(StoreError) -> String {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    try SystemFile.makeFolder(folder)
    try SystemFile.replace("\(folder)/\(name)", with: bytes)
    return "\(folder)/\(name)"
  }

  /// Saves a file of the household over the version `base`, and adopts it.
  ///
  /// If the file is another one by now, both versions are joined, as git's merge driver does. If
  /// the result is broken or refused, the file is put back and `untaken` is thrown.
  package func save(
    _ bytes: [UInt8], over base: [UInt8], at path: FilePath
  ) throws(StoreError) -> Writing {
    try whileLocked { () throws(StoreError) in
      let before = try load()
      try checkWritable(before)
      let current = try files.read(path)
      let saved =
        current == base
        ? bytes : MergeFile.merge(base: base, ours: current, theirs: bytes, path: path)
      guard let saved else { throw .uncommitted(path: path) }
      try put(saved, at: path)
      var loaded = try load()
      if let mistakes = loaded.household.untaken[path] {
        try put(current, at: path)
        throw .untaken(path: path, mistakes)
      }
      let adoption = try adopt(&loaded)
      return Writing(
        household: loaded.household, changed: adoption?.changed ?? [],
        commit: adoption?.commits.last, adoption: adoption,
        base: (before.household, before.head.commit))
    }
  }

  /// Replaces a file in one step.
  private func put(_ bytes: [UInt8], at path: FilePath) throws(StoreError) {
    let new = TemporaryFile.path(for: path)
    try files.write(bytes, to: new)
    try files.rename(new, to: path)
  }
}
