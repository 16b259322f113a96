internal import Clibcrypto

/// The SHA-1 of bytes, by OpenSSL, which has the processor's own instructions for it.
///
/// Git's objects and the format's derived ids are named by it; nothing here is secured by it.
public enum SHA1 {
  /// Returns the 20 bytes of the digest of some bytes after others.
  public static func digest(of bytes: ArraySlice<UInt8>, after head: [UInt8] = []) -> [UInt8] {
    var state = SHA_CTX()
    SHA1_Init(&state)
    for part in [head[...], bytes] {
      _ = part.withUnsafeBytes { SHA1_Update(&state, $0.baseAddress, $0.count) }
    }
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    SHA1_Final(&digest, &state)
    return digest
  }
}
