internal import LarderGit

/// The folder for what was damaged and had to make way, `.git/larder/kept`.
struct KeptFiles {
  let folder: String

  init(gitDirectory: String) {
    folder = gitDirectory + "/larder/kept"
  }

  /// Where a file goes that has this content: its name in the household, and its blob's first digits.
  func place(of name: String, _ bytes: [UInt8]) -> String {
    let flat = name.split(separator: "/").joined(separator: "-")
    return "\(folder)/\(flat).\(Repository.blobID(of: bytes).hex.prefix(7))"
  }

  /// Makes a second copy of a file; the file itself stays where it is.
  func keep(_ path: String, as name: String) throws(StoreError) {
    let bytes = try SystemFile.read(path)
    let place = place(of: name, bytes)
    try SystemFile.makeFolder(folder)
    guard FileState(of: place) == nil else { return }
    try SystemFile.replace(place, with: bytes)
    try SystemFile.synchronizeFolder(folder)
  }
}
