internal import LarderGit
internal import LarderText

/// The record in a commit of what Larder wrote.
///
/// Git keeps the trailers of a commit that is amended, rebased or picked, even if its content
/// changed. But then the ids of its tree and parents differ.
enum CommitContent {
  private static let trailer = "Larder-Tree"
  /// The paths of files that the commit carries and does not mean: their edits were refused.
  private static let refusedTrailer = "Larder-Refused"

  /// Returns the last lines of a message.
  static func lines(
    tree: ObjectID, parents: [ObjectID], refused: some Collection<FilePath>
  ) -> String {
    let paths = refused.sorted().map { encoded($0) }.joined(separator: " ")
    let line = paths.isEmpty ? "" : "\(refusedTrailer): \(paths)\n"
    return line + "\(trailer): \(value(tree, parents))\n"
  }

  /// Returns the paths of the refused files that a commit of Larder's carries.
  static func refused(in commit: Commit) -> Set<FilePath> {
    guard isOriginal(commit), let paths = Trailers(commit.message)[refusedTrailer] else {
      return []
    }
    return Set(paths.split(separator: " ").map { decoded($0) })
  }

  private static func value(_ tree: ObjectID, _ parents: [ObjectID]) -> String {
    ([tree] + parents).map(\.hex).joined(separator: " ")
  }

  /// Whether a commit of Larder is unchanged.
  ///
  /// Earlier programs did not record the content. When git amends a commit, it changes the
  /// committer, except within the same second.
  static func isOriginal(_ commit: Commit) -> Bool {
    let trailers = Trailers(commit.message)
    guard trailers["Larder-Command"] != nil else { return false }
    guard let written = trailers[trailer] else { return commit.author == commit.committer }
    return written == value(commit.tree, commit.parents)
  }

  /// Returns a path as a trailer has it: `%` and what is not visible ASCII as `%` and two digits.
  private static func encoded(_ path: FilePath) -> String {
    path.text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%")
        ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  private static func decoded(_ text: Substring) -> FilePath {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return FilePath(String(decoding: bytes, as: UTF8.self))
  }
}
