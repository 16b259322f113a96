internal import Clibgit2

/// A fingerprint of a file's lines, for comparing files by similarity.
struct ContentSignature: ~Copyable {
  private let handle: Handle<OpaquePointer>

  /// Nil if the content is too small to compare.
  init?(of content: [UInt8]) {
    let options = git_hashsig_option_t(
      GIT_HASHSIG_SMART_WHITESPACE.rawValue | GIT_HASHSIG_ALLOW_SMALL_FILES.rawValue)
    var made: OpaquePointer?
    let status = content.withUnsafeBytes { bytes in
      git_hashsig_create(
        &made, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, options)
    }
    guard status == 0, let made else { return nil }
    handle = Handle(owning: made, free: { git_hashsig_free($0) })
  }

  /// Returns the similarity of two contents, from 0 to 100.
  func similarity(to other: borrowing ContentSignature) -> Int32 {
    max(0, git_hashsig_compare(handle.pointer, other.handle.pointer))
  }
}
