public import LarderGit
internal import LarderModel
public import LarderText

/// An attribute of git, by which git does something else with files of the household than larder.
public struct AttributeFault: Sendable, Hashable {
  /// The first file.
  public let path: FilePath
  /// The number of other files.
  public let others: Int
  public let name: String
  public let value: String
  /// The commit of others that has it; nil for one in force here.
  public var commit: ObjectID?

  /// Whether git stores something else than what the files say, so that larder writes nothing.
  public var isFilter: Bool { Self.filters.contains(name) }

  static let filters = ["filter", "working-tree-encoding"]
}

extension Store {
  static let attributesPath: FilePath = ".gitattributes"

  /// Throws what is in the way of any change: a newer format, a household file that is broken or refused, or a
  /// filter on files of the household.
  func checkWritable(_ loaded: Loaded) throws(StoreError) {
    try refuseFilters(loaded)
    try checkFormat(loaded)
  }

  /// Throws `filtered` if git filters files of the household: larder would store them as they are, and
  /// a sync would push them.
  ///
  /// Git is asked only if a source of attributes has a word for it.
  func refuseFilters(_ loaded: Loaded) throws(StoreError) {
    mayBeFiltered = try isAnySourceSuspicious(loaded)
    if mayBeFiltered { try refuseFilters(on: ownPaths(loaded)) }
  }

  /// Throws `filtered` if git filters one of some files of the household.
  func refuseFilters(on paths: [FilePath]) throws(StoreError) {
    let own = paths.filter { Kind(path: $0) != nil }
    if let fault = try faults(AttributeFault.filters, on: own).first { throw .filtered(fault) }
  }

  /// Throws what stands in the way of writing, as far as it is known before it is tried.
  package func checkWritable() throws(StoreError) {
    guard repository != nil else { throw .notARepository(root: root) }
    if let loose = try looseHead() { throw .looseHead(loose) }
    try checkWritable(try load())
  }

  /// Throws `filtered` if git filters files of the household where it is; the exchange with a project,
  /// which stores plain text too, asks for it.
  package func refuseFilters() throws(StoreError) { try refuseFilters(try load()) }

  /// Throws `filtered` if the attributes of a commit of others filter files of the household.
  func refuseFilters(in commit: ObjectID, _ tree: ObjectID, since ours: ObjectID?)
    throws(StoreError)
  {
    let sources = try git { repository throws(GitError) in
      try repository.changes(from: ours, to: tree).compactMap(\.new)
        .filter { $0.path.name == Store.attributesPath.text && $0.mode.isOrdinary }
    }
    var isSuspicious = mayBeFiltered
    if try isOuterSourceSuspicious() { isSuspicious = true }
    for source in sources where !isSuspicious {
      isSuspicious = Self.isSuspicious(
        try git { repository throws(GitError) in try repository.readBlob(source.id) })
    }
    guard isSuspicious else { return }
    let own = try git { repository throws(GitError) in
      try repository.ownChanges(from: nil, to: tree).map(\.path)
    }
    let paths = own + Self.probes
    if var fault = try faults(AttributeFault.filters, on: paths, in: tree).first {
      fault.commit = commit
      throw .filtered(fault)
    }
  }

  /// Returns the filters on files of the household; empty if no source of attributes has a word for
  /// one.
  public func filters() throws(StoreError) -> [AttributeFault] {
    let loaded = try load()
    guard repository != nil, try isAnySourceSuspicious(loaded) else { return [] }
    return try faults(AttributeFault.filters, on: ownPaths(loaded))
  }

  /// Returns the attributes that keep git from doing with the household's files what larder does; empty
  /// without a git program.
  public func attributeFaults() throws(StoreError) -> [AttributeFault] {
    guard let repository, repository.gitProgram != nil else { return [] }
    let names = AttributeFault.filters + ["merge", "diff", "ident", "text", "eol"]
    // A shallow clone may lack what its commits mean.
    return try faults(names, on: repository.isShallow ? Self.probes : ownPaths(try load()))
  }

  /// Whether git has larder's attributes for all kinds of files.
  func hasOwnAttributes() throws(StoreError) -> Bool {
    guard repository?.gitProgram != nil else { return false }
    return try git { repository throws(GitError) in
      try repository.attributes(["merge", "diff", "eol"], of: Store.probes)
        .allSatisfy { $0.value == ($0.name == "eol" ? "lf" : "larder") }
    }
  }

  private func faults(
    _ names: [String], on paths: [FilePath], in tree: ObjectID? = nil
  ) throws(StoreError) -> [AttributeFault] {
    let found = try git { repository throws(GitError) in
      try repository.attributes(names, of: paths, in: tree)
    }
    let texts = Set(found.filter { $0.name == "text" && $0.value == "unset" }.map(\.path))
    var faults: [AttributeFault] = []
    for (path, name, value) in found {
      guard Self.isFault(name, value), name != "eol" || !texts.contains(path) else { continue }
      if let index = faults.firstIndex(where: { $0.name == name && $0.value == value }) {
        let first = faults[index]
        // A probe stands for files that are not there yet.
        let others = first.others + (Self.probes.contains(path) ? 0 : 1)
        faults[index] = AttributeFault(
          path: first.path, others: others, name: name, value: value)
      } else {
        faults.append(AttributeFault(path: path, others: 0, name: name, value: value))
      }
    }
    return faults
  }

  /// Whether an attribute's value makes git do something else than larder; missing lines of larder's own
  /// are told elsewhere.
  private static func isFault(_ name: String, _ value: String) -> Bool {
    switch name {
    case "merge", "diff": !["larder", "unspecified"].contains(value)
    case "eol": value == "crlf"
    case "ident": value == "set"
    case "text": false
    default:
      !["unspecified", "unset", ""].contains(value)
        && !["utf-8", "utf8"].contains(value.lowercased())
    }
  }

  /// A path of each kind, for files that are still to come.
  private static let probes: [FilePath] =
    [Kind.householdPath] + Kind.allCases.compactMap(\.folder).map { "\($0)/file.json" }

  /// The paths of the household's files, and one of each kind.
  private func ownPaths(_ loaded: Loaded) -> [FilePath] {
    let known = loaded.workTree.known?.paths ?? []
    let own = known.union(loaded.changedPaths).filter { Kind(path: $0) != nil }
    return own.sorted() + Self.probes.filter { !own.contains($0) }
  }
}

// MARK: - The sources of attributes

extension Store {
  private func isAnySourceSuspicious(_ loaded: Loaded) throws(StoreError) -> Bool {
    if try isOuterSourceSuspicious() { return true }
    var isRootThere = false
    for path in [Store.attributesPath] + loaded.workTree.attributeFiles {
      // Git follows no link there.
      guard try files.state(of: path)?.kind == .file else { continue }
      if path == Store.attributesPath { isRootThere = true }
      if Self.isSuspicious(try files.read(path)) { return true }
    }
    guard !isRootThere, let tree = loaded.tree else { return false }
    return try git { repository throws(GitError) in
      guard let entry = try repository.entry(at: Store.attributesPath, in: tree),
        entry.mode.isOrdinary
      else { return false }
      return Self.isSuspicious(try repository.readBlob(entry.id))
    }
  }

  private func isOuterSourceSuspicious() throws(StoreError) -> Bool {
    let (files, isElsewhere) = try git { repository throws(GitError) in
      (try repository.attributeFiles(), try repository.readsAttributesFromTree)
    }
    if isElsewhere { return true }
    for path in files where FileState(of: path) != nil {
      do throws(StoreError) {
        if Self.isSuspicious(try SystemFile.read(path, following: true)) { return true }
      } catch {
        // Git does not read it either.
        continue
      }
    }
    return false
  }

  /// Whether attributes have a word for a filter in a line that may be about a file of the household.
  private static func isSuspicious(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard AttributeFault.filters.contains(where: text.contains) else { return false }
    return text.split(whereSeparator: \.isNewline).contains { line in
      guard AttributeFault.filters.contains(where: line.contains) else { return false }
      let pattern = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
      let ending = pattern.lastIndex(of: ".").map { pattern[$0...].dropFirst() } ?? ""
      // Such as *.jpg; all files of the household end in .json.
      let isOfOthers =
        !pattern.hasPrefix("#") && !pattern.hasPrefix("[") && !ending.isEmpty
        && ending.allSatisfy { $0.isLetter || $0.isNumber } && ending.lowercased() != "json"
      return !isOfOthers && !pattern.hasPrefix("#")
    }
  }
}
