internal import Clibgit2
internal import LarderText
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
