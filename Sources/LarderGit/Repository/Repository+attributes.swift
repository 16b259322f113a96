import Clibgit2
public import LarderText
internal import Libc

/// Git's attributes of files, by which a program may filter what git stores of them.
extension Repository {
  /// Returns the files of attributes outside of the work tree: the repository's, the user's and the
  /// system's; they need not exist.
  public func attributeFiles() throws(GitError) -> [String] {
    var files = [commonDirectory + "/info/attributes", "/etc/gitattributes"]
    if let own = try configuredPath("core.attributesFile") {
      files.append(own)
    } else if let folder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ $0 + "/.config" })
    {
      files.append(folder + "/git/attributes")
    }
    // A git that is not the system's has its settings beside its own folder.
    if let folders = gitProgram?.split(separator: "/").dropLast(2), folders != ["usr"] {
      files.append("/" + (folders + ["etc", "gitattributes"]).joined(separator: "/"))
    }
    return files
  }

  /// Whether git is told to read attributes from a tree.
  public var readsAttributesFromTree: Bool {
    get throws(GitError) {
      if variable("GIT_ATTR_SOURCE") != nil { return true }
      return try configuration("attr.tree") != nil
    }
  }

  private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the attributes in force for some paths, as the git program says: a value, `set`, `unset`
  /// or `unspecified`.
  ///
  /// With a tree, its `.gitattributes` count in place of those of the work tree. Throws `noProgram` if
  /// there is no git.
  public func attributes(
    _ names: [String], of paths: [FilePath], in tree: ObjectID? = nil
  ) throws(GitError) -> [(path: FilePath, name: String, value: String)] {
    let action = "ask git for attributes"
    let draft = "\(gitDirectory)/attributes-\(getpid()).index"
    defer { unlink(draft) }
    let settings = tree == nil ? [] : ["GIT_INDEX_FILE=" + draft]
    func ask(_ words: [String]) throws(GitError) -> String {
      let outcome = try runGit(words, settings: settings, action: action)
      guard outcome.status == 0 else {
        throw GitError(.other(outcome.status), action: action, detail: outcome.complaint)
      }
      return outcome.output
    }
    if let tree { _ = try ask(["read-tree", tree.hex]) }
    var values: [(path: FilePath, name: String, value: String)] = []
    let most = 1000
    for start in stride(from: 0, to: paths.count, by: most) {
      let some = paths[start..<min(start + most, paths.count)].map(\.text)
      let output = try ask(
        ["check-attr", "-z"] + (tree == nil ? [] : ["--cached"]) + names + ["--"] + some)
      var words = output.split(separator: "\0", omittingEmptySubsequences: false)[...]
      while words.count > 2 {
        let first = words.startIndex
        values.append(
          (FilePath(String(words[first])), String(words[first + 1]), String(words[first + 2])))
        words = words.dropFirst(3)
      }
    }
    return values
  }
}
