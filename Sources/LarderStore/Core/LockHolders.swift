internal import LarderGit
internal import Libc

extension Store {
  /// Whether no process of this machine can hold a lock file of git's; nil if nobody can tell: without
  /// `/proc`, and on a disk that other machines may write, too.
  ///
  /// The clock does not tell: on a machine without one of its own it jumps when the network is there, and a
  /// lock from before a power cut may seem to be of now.
  func isLeft(lock path: String) -> Bool? {
    #if canImport(Darwin)
      return nil
    #else
      guard let repository, isOnOwnDisk, let processes = opendir("/proc") else { return nil }
      defer { closedir(processes) }
      let places = [root, repository.gitDirectory, repository.commonDirectory].map { realPath($0) }
      var isAny = false
      while let entry = readdir(processes) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let id = pid_t(name) else { continue }
        isAny = true
        let process = "/proc/\(id)"
        if id != getpid(), Self.isGit(process), Self.mayWork(process, in: places) { return false }
        if Self.hasOpen(process, realPath(path)) { return false }
      }
      return isAny ? true : nil
    #endif
  }

  /// Whether the repository is on a file system of this machine alone.
  private var isOnOwnDisk: Bool {
    guard let repository else { return false }
    do throws(StoreError) {
      return try OpenFolder(root: repository.gitDirectory).keepsTimes
    } catch {
      return false
    }
  }

  /// Whether a process is a git, which keeps its lock while an editor is open for it.
  private static func isGit(_ process: String) -> Bool {
    do throws(StoreError) {
      let name = try SystemFile.read(process + "/comm")
      return ["git", "jj"].contains { name.starts(with: $0.utf8) }
    } catch {
      // It has ended.
      return false
    }
  }

  /// Whether a process is in one of some folders, or somebody else's.
  private static func mayWork(_ process: String, in places: [String]) -> Bool {
    guard let folder = target(of: process + "/cwd") else { return errno != ENOENT }
    return places.contains { folder == $0 || folder.utf8.starts(with: "\($0)/".utf8) }
  }

  private static func hasOpen(_ process: String, _ path: String) -> Bool {
    guard let descriptors = opendir(process + "/fd") else { return false }
    defer { closedir(descriptors) }
    while let entry = readdir(descriptors) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if target(of: "\(process)/fd/\(name)") == path { return true }
    }
    return false
  }

  private static func target(of link: String) -> String? {
    var text = [CChar](repeating: 0, count: 4097)
    let count = readlink(link, &text, text.count - 1)
    return count < 0
      ? nil : String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
