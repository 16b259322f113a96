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

  /// Where something goes that is no ordinary file, a folder with all in it; nothing is there yet.
  func place(forFolder name: String) -> String {
    let flat = name.split(separator: "/").joined(separator: "-")
    var place = "\(folder)/\(flat)"
    var number = 1
    while FileState(of: place) != nil {
      number += 1
      place = "\(folder)/\(flat).\(number)"
    }
    return place
  }

  /// Keeps a copy of what a file holds.
  func keep(_ bytes: [UInt8], as name: String) throws(StoreError) {
    let place = place(of: name, bytes)
    try SystemFile.makeFolder(folder)
    guard FileState(of: place) == nil else { return }
    try SystemFile.replace(place, with: bytes)
    try SystemFile.synchronizeFolder(folder)
  }
}
