internal import LarderGit
internal import LarderModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What a watch is to notice below one folder.
package struct NoticedPlace: Sendable {
  /// Absolute.
  let folder: String
  /// Whether a file matters, by its path from the folder.
  let holdsFile: @Sendable (String) -> Bool
  /// Whether what lies in a folder may matter, by its path from the folder.
  let holdsFolder: @Sendable (String) -> Bool

  /// Visits everything that matters below a folder of the place, that folder first.
  ///
  /// What can't be looked at is passed over: whoever reads it in earnest says why.
  func walk(_ path: String = "", _ visit: (String, FileState) throws(StoreError) -> Void)
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
      let inner = Self.path(name, in: path)
      guard holdsFile(inner) || holdsFolder(inner), let state = FileState(of: absolute(inner))
      else { continue }
      if state.kind == .folder {
        if holdsFolder(inner) { try walk(inner, visit) }
      } else if holdsFile(inner) {
        try visit(inner, state)
      }
    }
  }

  func absolute(_ path: String) -> String { path.isEmpty ? folder : folder + "/" + path }

  static func path(_ name: String, in path: String) -> String {
    path.isEmpty ? name : path + "/" + name
  }
}

extension Store {
  /// The household's files, what is checked out, where the branches are, and the settings: a remote or
  /// a sign-in that is new.
  package var noticedPlaces: [NoticedPlace] {
    let folders = Set(Kind.allCases.compactMap(\.folder))
    let household = NoticedPlace(
      folder: root,
      holdsFile: { Kind(path: $0) != nil && !TemporaryFile.isOne($0) },
      holdsFolder: { folders.contains(String($0.prefix { $0 != "/" })) })
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
