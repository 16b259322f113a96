internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

/// A folder to watch.
package struct NoticedPlace: Sendable {
  /// The path of the folder, absolute.
  let folder: String
  /// Whether a file is relevant, by its path from the folder.
  let holdsFile: @Sendable (FilePath) -> Bool
  /// Whether a folder may have relevant files, by its path from the folder.
  let holdsFolder: @Sendable (FilePath) -> Bool

  /// Visits all relevant files and folders below a folder, that folder first.
  ///
  /// Skips unreadable folders; readers report the error.
  func walk(_ path: FilePath = "", _ visit: (FilePath, FileState) throws(StoreError) -> Void)
    throws(StoreError)
  {
    guard let state = FileState(of: absolute(path)), state.kind == .folder else { return }
    try visit(path, state)
    guard let directory = opendir(absolute(path)) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let inner = path.appending(name)
      guard holdsFile(inner) || holdsFolder(inner), let state = FileState(of: absolute(inner))
      else { continue }
      if state.kind == .folder {
        if holdsFolder(inner) { try walk(inner, visit) }
      } else if holdsFile(inner) {
        try visit(inner, state)
      }
    }
  }

  func absolute(_ path: FilePath) -> String { path.isEmpty ? folder : "\(folder)/\(path)" }
}

extension Store {
  /// The places to watch: the household's files, HEAD, the branches, and the settings, which have
  /// remotes and sign-ins.
  package var noticedPlaces: [NoticedPlace] {
    let folders = Set(Kind.allCases.compactMap(\.folder))
    let household = NoticedPlace(
      folder: root,
      holdsFile: { Kind(path: $0) != nil && !TemporaryFile.isOne($0.name) },
      holdsFolder: { $0.names.first.map(folders.contains) ?? false })
    guard let repository else { return [household] }
    return [
      household,
      NoticedPlace(
        folder: repository.gitDirectory, holdsFile: { $0 == "HEAD" || $0 == "config" },
        holdsFolder: { _ in false }),
      NoticedPlace(
        folder: repository.commonDirectory + "/refs/heads", holdsFile: { !$0.hasSuffix(".lock") },
        holdsFolder: { _ in true }),
    ]
  }
}
