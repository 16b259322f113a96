import Clibgit2
internal import LarderText
internal import Libc

extension Repository {
  /// Returns the value of a key such as `user.name`, from the most specific level, or nil if it is
  /// not set.
  public func configuration(_ key: String) throws(GitError) -> String? {
    let action = "read git's configuration"
    let snapshot = try Handle(action, free: { git_config_free($0) }) {
      git_repository_config_snapshot($0, pointer)
    }
    var value: UnsafePointer<CChar>?
    let status = git_config_get_string(&value, snapshot.pointer, key)
    if status == GIT_ENOTFOUND.rawValue { return nil }
    try check(status, action, path: key)
    return value.map { String(cString: $0) }
  }

  /// Returns all settings of all levels, the most specific last.
  func configurationEntries() throws(GitError) -> [ConfigurationEntry] {
    let action = "read git's configuration"
    let snapshot = try Handle(action, free: { git_config_free($0) }) {
      git_repository_config_snapshot($0, pointer)
    }
    let iterator = try Handle(action, free: { git_config_iterator_free($0) }) {
      git_config_iterator_new($0, snapshot.pointer)
    }
    var entries: [ConfigurationEntry] = []
    while true {
      var entry: UnsafeMutablePointer<git_config_entry>?
      let status = git_config_next(&entry, iterator.pointer)
      if status == GIT_ITEROVER.rawValue { return entries }
      try check(status, action)
      guard let entry = entry?.pointee, let key = entry.name else { continue }
      // A key without a value means true.
      let value = entry.value.map { String(cString: $0) } ?? "true"
      entries.append(ConfigurationEntry(key: String(cString: key), value: value))
    }
  }

  /// Sets a key in the repository's own configuration.
  ///
  /// Nil removes it there.
  ///
  /// Other levels are not changed. Removing a key that is not set changes nothing.
  ///
  /// Git writes its settings in an instant. So a lock older than two seconds was left by a killed
  /// process, and is removed.
  public func setConfiguration(_ key: String, _ value: String?) throws(GitError) {
    var waited = 0
    while true {
      do throws(GitError) {
        return try writeConfiguration(key, value)
      } catch  where error.code == .locked && waited < 3000 {
        if waited > 2000, let path = error.path { unlink(path) }
        usleep(100_000)
        waited += 100
      }
    }
  }

  private func writeConfiguration(_ key: String, _ value: String?) throws(GitError) {
    let action = "write git's configuration"
    let all = try Handle(action, free: { git_config_free($0) }) {
      git_repository_config($0, pointer)
    }
    let own = try Handle(action, free: { git_config_free($0) }) {
      git_config_open_level($0, all.pointer, GIT_CONFIG_LEVEL_LOCAL)
    }
    do throws(GitError) {
      if let value {
        try check(git_config_set_string(own.pointer, key, value), action, path: key)
      } else {
        try check(git_config_delete_entry(own.pointer, key), action, path: key)
      }
      try wait(for: commonDirectory + "/config")
    } catch  where error.code == .notFound && value == nil {
      return
    } catch  where error.code == .locked {
      var error = error
      error.path = commonDirectory + "/config.lock"
      throw error
    }
  }
}

extension Repository {
  /// Returns the folder of git's hooks as an absolute path: `core.hooksPath`, or the repository's
  /// own.
  public func hooksFolder() throws(GitError) -> String {
    try configuredPath("core.hooksPath") ?? commonDirectory + "/hooks"
  }

  /// Returns a path of git's settings as an absolute one; nil if it is not set.
  func configuredPath(_ key: String) throws(GitError) -> String? {
    let action = "read git's configuration"
    let snapshot = try Handle(action, free: { git_config_free($0) }) {
      git_repository_config_snapshot($0, pointer)
    }
    var buffer = git_buf()
    defer { git_buf_dispose(&buffer) }
    let status = git_config_get_path(&buffer, snapshot.pointer, key)
    if status == GIT_ENOTFOUND.rawValue { return nil }
    try check(status, action, path: key)
    let path = withoutFinalSlash(buffer.ptr.map { String(cString: $0) } ?? "")
    guard !path.isEmpty else { return nil }
    return path.hasPrefix("/") ? path : (workTree ?? gitDirectory) + "/" + path
  }
}

/// A line of git's configuration, with a key `section.variable` or `section.subsection.variable`.
struct ConfigurationEntry {
  /// The full key; section and variable are in lower case.
  let key: String
  let value: String

  // By bytes: a name may begin with a mark that Swift takes for a part of the dot before it.
  private static let dot = UInt8(ascii: ".")

  var section: Substring { Substring(key.utf8.prefix { $0 != Self.dot }) }

  var variable: String {
    key.utf8.lastIndex(of: Self.dot).map { String(key[key.utf8.index(after: $0)...]) } ?? ""
  }

  var subsection: String? {
    let rest = key.utf8.dropFirst(section.utf8.count + 1)
    return rest.lastIndex(of: Self.dot).map { String(Substring(rest[..<$0])) }
  }

  func isOf(_ section: String, _ subsection: String) -> Bool {
    self.section == section && self.subsection?.hasSameBytes(as: subsection) == true
  }
}
