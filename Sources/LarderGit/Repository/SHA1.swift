internal import Clibcrypto

/// The SHA-1 of bytes, by OpenSSL, which has the processor's own instructions for it.
///
/// libgit2 hashes only whole objects, and takes ten times as long.
enum SHA1 {
  /// OpenSSL looks for it once; nil if it has none.
  private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA1", nil)

  /// Returns the digest of some bytes after others; nil without memory, and if OpenSSL has no SHA-1.
  static func digest(of bytes: ArraySlice<UInt8>, after head: [UInt8] = []) -> ObjectID? {
    guard let algorithm, let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestInit_ex2(context, algorithm, nil) == 1 else { return nil }
    for part in [head[...], bytes] {
      let isTaken = part.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
      guard isTaken == 1 else { return nil }
    }
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return nil }
    return ObjectID(bytes: digest.prefix(20))
  }
}
