extension RemoteFailure {
  /// The lock file that git, here or over there, found in its way; nil when it was something else.
  ///
  /// Git writes `Unable to create '/…/main.lock': File exists.`
  static func lockFile(in complaint: String) -> String? {
    for line in complaint.split(separator: "\n") {
      guard let end = line.firstRange(of: ".lock': File exists"),
        let start = line[..<end.lowerBound].lastIndex(of: "'")
      else { continue }
      let path = line[line.index(after: start)..<end.lowerBound] + ".lock"
      return path.split(separator: "/./").joined(separator: "/")
    }
    return nil
  }
}
