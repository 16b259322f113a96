internal import LarderGit
internal import LarderText

/// The folder for replaced damaged files, `.git/larder/kept`.
struct KeptFiles {
  let folder: String

  init(gitDirectory: String) {
    folder = gitDirectory + "/larder/kept"
  }

  /// Returns the path for a file with this content: its name in the household and the first digits
  /// of its blob id.
  func place(of path: FilePath, _ bytes: [UInt8]) -> String {
    let flat = path.names.joined(separator: "-")
    return "\(folder)/\(flat).\(Repository.blobID(of: bytes).hex.prefix(7))"
  }

  /// Returns an unused path for a folder or anything else that is not an ordinary file.
  func place(forFolder path: FilePath) -> String {
    let flat = path.names.joined(separator: "-")
    var place = "\(folder)/\(flat)"
    var number = 1
    while FileState(of: place) != nil {
      number += 1
      place = "\(folder)/\(flat).\(number)"
    }
    return place
  }

  /// Stores a copy of a file's content.
  func keep(_ bytes: [UInt8], as path: FilePath) throws(StoreError) {
    let place = place(of: path, bytes)
    try SystemFile.makeFolder(folder)
    guard FileState(of: place) == nil else { return }
    try SystemFile.replace(place, with: bytes)
    try SystemFile.synchronizeFolder(folder)
  }
}
