internal import Clibgit2
public import LarderText
internal import Libc
internal import Synchronization

/// The merge driver `larder`, registered with libgit2 from the first merge to the end of the
/// process.
///
/// libgit2's list of drivers must not change while another thread merges. So one driver is
/// registered once, and looks up the driver of the current merge here.
enum DriverRegistry {
  /// A driver that is only called on the merging thread, during the merge.
  private struct Confined: @unchecked Sendable {
    let driver: MergeDriver
  }

  static let name = "larder"

  private static let active = Mutex<[UInt: Confined]>([:])

  private static let registered: Int32 = {
    let driver = UnsafeMutablePointer<git_merge_driver>.allocate(capacity: 1)
    var content = git_merge_driver()
    content.version = UInt32(GIT_MERGE_DRIVER_VERSION)
    content.apply = { _, path, mode, merged, _, source in
      guard let path, let mode, let merged, let source else { return GIT_PASSTHROUGH.rawValue }
      return DriverRegistry.apply(path, mode, merged, source)
    }
    driver.initialize(to: content)
    return git_merge_driver_register(name, driver)
  }()

  /// Runs `body` with a driver for that repository; with nil, text is merged as text.
  static func with<Result>(
    _ driver: MergeDriver?, for repository: OpaquePointer, action: String,
    _ body: () throws(GitError) -> Result
  ) throws(GitError) -> Result {
    try check(registered, action)
    guard let driver else { return try body() }
    let key = UInt(bitPattern: repository)
    let confined = Confined(driver: driver)
    let outer = active.withLock { $0.updateValue(confined, forKey: key) }
    defer { active.withLock { $0[key] = outer } }
    return try body()
  }

  private static func apply(
    _ path: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ mode: UnsafeMutablePointer<UInt32>,
    _ merged: UnsafeMutablePointer<git_buf>, _ source: OpaquePointer
  ) -> Int32 {
    guard let repository = git_merge_driver_source_repo(source) else {
      return GIT_PASSTHROUGH.rawValue
    }
    let key = UInt(bitPattern: repository)
    guard let driver = active.withLock({ $0[key] })?.driver else {
      return GIT_PASSTHROUGH.rawValue
    }
    let ancestor = git_merge_driver_source_ancestor(source)
    let ours = git_merge_driver_source_ours(source)
    let theirs = git_merge_driver_source_theirs(source)
    guard let name = (ours ?? theirs ?? ancestor)?.pointee.path else {
      return GIT_EMERGECONFLICT.rawValue
    }
    let contents: [[UInt8]?]
    do {
      contents = try [ancestor, ours, theirs].map { side throws(GitError) in
        try content(of: side, in: repository)
      }
    } catch {
      return GIT_EMERGECONFLICT.rawValue
    }
    guard
      let result = driver(contents[0], contents[1], contents[2], FilePath(String(cString: name)))
    else {
      return GIT_EMERGECONFLICT.rawValue
    }
    path.pointee = name
    let ourMode = ours?.pointee.mode ?? 0
    mode.pointee = ourMode == ancestor?.pointee.mode ? theirs?.pointee.mode ?? ourMode : ourMode
    return result.withUnsafeBytes { git_buf_set(merged, $0.baseAddress, $0.count) }
  }

  private static func content(
    of side: UnsafePointer<git_index_entry>?, in repository: OpaquePointer
  ) throws(GitError) -> [UInt8]? {
    guard var oid = side?.pointee.id, side?.pointee.mode != 0 else { return nil }
    let blob = try Handle("read a file", free: { git_blob_free($0) }) {
      git_blob_lookup($0, repository, &oid)
    }
    return [UInt8](
      UnsafeRawBufferPointer(
        start: git_blob_rawcontent(blob.pointer), count: Int(git_blob_rawsize(blob.pointer))))
  }
}

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
