import LarderKit
import LarderModel
import Libc

/// Whole files that are not the household's, such as temporary files from git.
enum FileBytes {
  /// Returns all bytes of a file.
  static func read(_ path: String) throws(StoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = systemRead(descriptor, &buffer)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Replaces an existing file; if that fails, the file is unchanged.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let draft = path + ".larder-new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("write", draft) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = failure("write", draft)
        close(descriptor)
        unlink(draft)
        throw error
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0, rename(draft, path) == 0 else {
      let error = failure("write", path)
      unlink(draft)
      throw error
    }
  }

  private static func failure(_ action: String, _ path: String) -> StoreError {
    .system(action: action, path: path, code: errno)
  }

  private static func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    Libc.read(descriptor, &buffer, buffer.count)
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    Libc.write(descriptor, bytes.baseAddress, bytes.count)
  }
}
