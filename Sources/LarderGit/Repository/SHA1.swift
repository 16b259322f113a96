/// The SHA-1 of bytes, which git writes at the end of a pack.
///
/// libgit2 hashes only whole objects.
enum SHA1 {
  /// Returns the 20 bytes of the digest.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var words = [UInt32](repeating: 0, count: 80)
    let whole = bytes.count / 64 * 64
    for start in stride(from: 0, to: whole, by: 64) { mix(bytes, at: start, &words, into: &state) }
    // The rest is filled up with a bit, zeros, and the number of bits.
    var rest = Array(bytes[whole...]) + [0x80]
    rest += [UInt8](repeating: 0, count: (120 - rest.count) % 64)
    withUnsafeBytes(of: UInt64(bytes.count * 8).bigEndian) { rest.append(contentsOf: $0) }
    for start in stride(from: 0, to: rest.count, by: 64) {
      mix(rest, at: start, &words, into: &state)
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { [UInt8]($0) } }
  }

  /// Mixes a block of 64 bytes into the state; `words` is room for 80 words.
  private static func mix(
    _ bytes: [UInt8], at start: Int, _ words: inout [UInt32], into state: inout [UInt32]
  ) {
    bytes.withUnsafeBytes { raw in
      for index in 0..<16 {
        let word = raw.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self)
        words[index] = UInt32(bigEndian: word)
      }
    }
    for index in 16..<80 {
      words[index] = rotated(
        words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 {
    word << bits | word >> (32 - bits)
  }
}
