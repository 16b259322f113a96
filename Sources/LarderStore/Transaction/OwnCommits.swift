package import LarderGit
internal import LarderText

/// The commits that were made in this clone.
///
/// A file of the clone has the ids of Larder's, and the reflog those that git made anew, as by a
/// rebase. Neither is ever exchanged, so it does not matter what others write into their commits,
/// or how they call their devices.
package struct OwnCommits {
  private let recorded: Set<ObjectID>
  private let logged: [ObjectID: ReferenceFiles.Origin]
  private let device: String

  /// The file of the clone's data with an id on each line.
  static let file = "commits"

  fileprivate init(
    recorded: Set<ObjectID>, logged: [ObjectID: ReferenceFiles.Origin], device: String
  ) {
    self.recorded = recorded
    self.logged = logged
    self.device = device
  }

  /// Whether a commit is of a command that was run in this clone.
  ///
  /// What git made anew has the trailers of the commit before, which may be somebody else's.
  package func contains(_ commit: Commit) -> Bool {
    guard let writer = Trailers(commit.message)["Larder-Device"] else { return false }
    if recorded.contains(commit.id) { return true }
    return switch logged[commit.id] {
    case .larder: true
    case .git: writer == device
    case nil: false
    }
  }
}

extension Store {
  /// Notes a commit as this clone's own.
  func noteOwn(_ commit: ObjectID) throws(StoreError) {
    guard let folder = deviceFolder else { return }
    try SystemFile.makeFolder(folder)
    try SystemFile.append(Array("\(commit.hex)\n".utf8), to: "\(folder)/\(OwnCommits.file)")
  }

  /// Returns the commits that were made in this clone.
  package func ownCommits() throws(StoreError) -> OwnCommits {
    let lines = try deviceFile(OwnCommits.file)?.split(separator: UInt8(ascii: "\n")) ?? []
    let recorded = lines.compactMap { ObjectID(hex: String(decoding: $0, as: UTF8.self)) }
    let logged = repository.map { ReferenceFiles(folder: $0.gitDirectory).madeHere } ?? [:]
    return OwnCommits(recorded: Set(recorded), logged: logged, device: try device)
  }

  /// Whether another clone of the household wrote under this one's device name.
  package func sharesDeviceName() throws(StoreError) -> Bool {
    let (own, name) = (try ownCommits(), try device)
    return try git { repository throws(GitError) in
      var isShared = false
      guard let head = try repository.head().commit else { return false }
      try repository.history(from: head) { commit in
        isShared = Trailers(commit.message)["Larder-Device"] == name && !own.contains(commit)
        return !isShared
      }
      return isShared
    }
  }
}

/// The `Key: value` lines at the end of a commit's message.
public struct Trailers: Sendable {
  private var values: [(key: String, value: String)] = []

  /// Reads the last paragraph, if it is not the only one and every line of it is a trailer.
  public init(_ message: String) {
    // Scalars, as a value may begin with a mark that Swift takes for a part of the space before it.
    var lines = message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let isBlank = { (line: Substring.UnicodeScalarView) in
      line.allSatisfy(\.properties.isWhitespace)
    }
    while lines.last.map(isBlank) ?? false { lines.removeLast() }
    guard let gap = lines.lastIndex(where: isBlank) else { return }
    for line in lines[(gap + 1)...] {
      guard let colon = line.firstRange(of: ": ".unicodeScalars) else {
        values = []
        return
      }
      values.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
    }
  }

  public subscript(key: String) -> String? {
    values.first { $0.key.lowercased() == key.lowercased() }?.value
  }

  /// Returns a message with a subject, cleaned for a terminal, and trailers; line breaks in the parts
  /// become spaces.
  public static func message(_ subject: String, _ trailers: [(key: String, value: String)])
    -> String
  {
    let lines = trailers.map { "\($0.key): \(oneLine($0.value))\n" }
    return sanitize(oneLine(subject)) + "\n\n" + lines.joined()
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
