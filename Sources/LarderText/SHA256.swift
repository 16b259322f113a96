internal import Clibcrypto

/// The SHA-256 of bytes, by OpenSSL.
public enum SHA256 {
  /// Returns the 32 bytes of the digest.
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    var state = SHA256_CTX()
    SHA256_Init(&state)
    _ = bytes.withUnsafeBytes { SHA256_Update(&state, $0.baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256_Final(&digest, &state)
    return digest
  }
}
