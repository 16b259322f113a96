internal import LarderText
internal import Libc

/// The references of a `.git` folder, read from its files, for when git can't read them.
public struct ReferenceFiles {
  /// The `.git` folder shared by all work trees.
  public let folder: String

  public init(folder: String) {
    self.folder = folder
  }

  /// A reference and its target; the target is nil if it is not an id.
  public struct Entry: Sendable, Hashable {
    public var name: String
    public var target: ObjectID?
    /// Whether it is only a line of `packed-refs`, without its own file.
    public var isPacked: Bool
  }

  /// Returns all references, loose ones first, then packed ones, each name once.
  public func entries() -> [Entry] {
    let loose = names(below: "refs").map { name in
      Entry(name: name, target: target(text: Self.text(of: folder + "/" + name)), isPacked: false)
    }
    let known = Set(loose.map(\.name))
    return loose + packedLines.compactMap(\.entry).filter { !known.contains($0.name) }
  }

  /// Whether `packed-refs` has a line that git can't read.
  public var hasDamagedPackedLines: Bool { packedLines.contains { !$0.isSound } }

  /// Returns the commits in a reference's reflog, the latest first.
  public func log(of name: String) -> [ObjectID] {
    let text = Self.text(of: "\(folder)/logs/\(name)") ?? ""
    return text.split(separator: "\n").reversed().compactMap { line in
      let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
      return words.count > 1 ? ObjectID(hex: String(Substring(words[1]))) : nil
    }
  }

  /// Who made a commit in this clone, by the reflog.
  public enum Origin: Sendable {
    case larder, git
  }

  /// The commits that HEAD's reflog says were made here, and not fetched, merged or checked out.
  public var madeHere: [ObjectID: Origin] {
    let text = Self.text(of: folder + "/logs/HEAD") ?? ""
    var made: [ObjectID: Origin] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      let words = parts[0].utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard parts.count == 2, words.count > 1, let id = ObjectID(hex: String(Substring(words[1]))),
        let origin = Self.origin(String(parts[1]))
      else { continue }
      made[id] = origin
    }
    return made
  }

  private static func origin(_ reason: String) -> Origin? {
    if reason.hasPrefix("larder: ") {
      let moves = ["larder: sync (fast-forward)", "larder: join", "larder: cloud"]
      return moves.contains(reason) ? nil : .larder
    }
    let act = reason.prefix { $0 != ":" }
    let steps = ["(pick)", "(reword)", "(edit)", "(squash)", "(fixup)", "(continue)"]
    return act.hasPrefix("commit") || steps.contains { act.hasSuffix($0) } ? .git : nil
  }

  /// The boundary commits of a shallow clone: their parents are missing.
  var shallowBoundary: Set<ObjectID> {
    let text = Self.text(of: folder + "/shallow") ?? ""
    return Set(text.split(separator: "\n").compactMap { ObjectID(hex: String($0)) })
  }

  /// Whether a branch is packed at a commit that its reflog has left behind.
  ///
  /// Then its loose file, with a newer commit, was lost.
  ///
  /// The reflog is written just before the branch, so after a kill it may be one commit ahead.
  public func hasFallenBack(_ name: String) -> Bool {
    guard FileStatus(of: folder + "/" + name) == nil,
      let packed = packedLines.compactMap(\.entry).first(where: { $0.name.hasSameBytes(as: name) })?
        .target
    else { return false }
    let commits = log(of: name)
    return !commits.isEmpty && !commits.prefix(2).contains(packed)
  }

  /// The commits that HEAD went away from while it was on no branch, the latest first.
  public var leftHeads: [ObjectID] { branchesLeft.compactMap { ObjectID(hex: $0) } }

  /// The branches that HEAD went away from, by its reflog, the latest first; git writes the full id of a
  /// commit that is no branch's.
  public var branchesLeft: [String] {
    let text = Self.text(of: folder + "/logs/HEAD") ?? ""
    return text.split(separator: "\n").reversed().compactMap { line in
      guard let move = line.firstRange(of: "\tcheckout: moving from ") else { return nil }
      let words = line[move.upperBound...].split(separator: " ")
      return words.count == 3 ? String(words[0]) : nil
    }
  }

  private struct PackedLine {
    let text: String

    var isSound: Bool {
      text.hasPrefix("#") || text.hasPrefix("^") && ObjectID(hex: String(text.dropFirst())) != nil
        || entry?.target != nil
    }

    var entry: Entry? {
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, words[1].begins(withBytesOf: "refs/") else { return nil }
      return Entry(
        name: String(words[1]), target: ObjectID(hex: String(words[0])), isPacked: true)
    }
  }

  private var packedLines: [PackedLine] {
    (Self.text(of: folder + "/packed-refs") ?? "").split(separator: "\n")
      .map { PackedLine(text: String($0)) }
  }

  private func target(text: String?) -> ObjectID? {
    guard let text else { return nil }
    if text.hasPrefix("ref: refs/") {
      let name = text.dropFirst("ref: ".count).prefix { !$0.isNewline }
      guard let text = Self.text(of: "\(folder)/\(name)") else {
        return packedLines.compactMap(\.entry).first { $0.name == name }?.target
      }
      return ObjectID(hex: String(text.prefix { !$0.isWhitespace }))
    }
    return ObjectID(hex: String(text.prefix { !$0.isWhitespace }))
  }

  /// Returns the names of lock files of references.
  func lockNames() -> [String] { names(below: "refs") { $0.hasSuffix(".lock") } }

  private func names(
    below name: String,
    where isWanted: (String) -> Bool = { !$0.hasPrefix(".") && !$0.hasSuffix(".lock") }
  ) -> [String] {
    guard let stream = opendir(folder + "/" + name) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let part = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      guard part != ".", part != ".." else { continue }
      let path = name + "/" + part
      if FileStatus(of: folder + "/" + path)?.isFolder ?? false {
        names += self.names(below: path, where: isWanted)
      } else if isWanted(part) {
        names.append(path)
      }
    }
    return names.sorted()
  }

  /// Returns a file's text, with damaged bytes replaced, or nil if there is no such file.
  private static func text(of path: String) -> String? {
    guard let size = FileStatus(of: path)?.size, let stream = fopen(path, "r") else { return nil }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = fread(&bytes, 1, size, stream)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
