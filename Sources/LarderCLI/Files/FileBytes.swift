import LarderKit
import Libc

/// Whole files outside the household, such as exports and git's temporary files.
enum FileBytes {
  /// Returns all bytes of a file, or `most` of them.
  static func read(_ path: String, atMost most: Int = .max) throws(StoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    guard let bytes = LineSource.bytes(from: descriptor, atMost: most) else {
      throw failure("read", path)
    }
    return bytes
  }

  /// Returns a path, or those of a folder's files whose names end with an extension; throws if it has
  /// none.
  static func files(at path: String, named ending: String) throws -> [String] {
    guard mode(of: path).map({ $0 & S_IFMT }) == S_IFDIR else { return [path] }
    guard let folder = opendir(path) else { throw failure("read", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    let place = path.hasSuffix("/") ? path : path + "/"
    let files = names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(ending) }.sorted()
    guard !files.isEmpty else {
      throw ErrorWords(
        .notFound, "no file in \(path) ends with \(ending)", "name the files, or another folder")
    }
    return files.map { place + $0 }
  }

  /// Returns the bytes of the file at a path; nil if nothing is there, or something else, such as a
  /// pipe.
  static func already(at path: String) throws(StoreError) -> [UInt8]? {
    mode(of: path).map { $0 & S_IFMT } == S_IFREG ? try read(path) : nil
  }

  /// Writes a file, or replaces one; if that fails, the file is unchanged.
  ///
  /// A link stays a link, and its target is written. A file keeps its permissions. A pipe or a
  /// device receives the bytes.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let mode = mode(of: path)
    let leadsNowhere = mode == nil && isLink(path)
    guard !leadsNowhere, mode.map({ $0 & S_IFMT == S_IFREG }) ?? true else {
      return try write(bytes, into: path, O_WRONLY | (leadsNowhere ? O_CREAT : 0), as: path)
    }
    let place = mode == nil ? path : resolved(path)
    let draft = "\(place).\(UInt32.random(in: .min ... .max)).larder-new"
    do throws(StoreError) {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
      try write(bytes, into: draft, flags, permissions: mode.map { $0 & 0o777 }, as: path)
      guard rename(draft, place) == 0 else { throw failure("write", path) }
    } catch {
      unlink(draft)
      throw error
    }
  }

  private static func write(
    _ bytes: [UInt8], into place: String, _ flags: Int32, permissions: mode_t? = nil,
    as path: String
  ) throws(StoreError) {
    let descriptor = open(place, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("write", path) }
    if let permissions { _ = fchmod(descriptor, permissions) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Libc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = failure("write", path)
        close(descriptor)
        throw error
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0 else { throw failure("write", path) }
  }

  /// Returns the type and the permissions at a path, or at the target of a link; nil if nothing is
  /// there.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  private static func failure(_ action: String, _ path: String) -> StoreError {
    .system(action: action, path: path, code: errno)
  }

}
