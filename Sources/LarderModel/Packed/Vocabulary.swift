internal import LarderJSON
internal import LarderText

/// The known words of the format, each with a number that packed entities have in its place.
///
/// The numbers are those of this program: another one, which may know other words, has another
/// ``fingerprint``.
enum Vocabulary {
  /// The known field names of all kinds.
  static let names = Names()

  /// A hash of all words in their order.
  static let fingerprint: UInt64 = {
    let words =
      names.all.map(\.text) + Kind.allCases.map(\.rawValue) + Unit.known.map(\.rawValue) + ["own"]
      + LedgerEntry.Reason.allCases.map(\.rawValue)
    return hashBytes(words.joined(separator: "\n"))
  }()

  /// Field names by number, from 1; names without a number have 0.
  struct Names: Sendable {
    let all: [FieldName]
    private let numbers: [FieldName: UInt]
    private let bytes: [UInt8]
    /// The offset of each name in `bytes`, and that after the last one.
    private let starts: [Int]

    fileprivate init() {
      var all: [FieldName] = []
      var numbers: [FieldName: UInt] = [:]
      for name in Kind.allCases.flatMap({ Schema.of($0).fields.map(\.name) })
      where numbers[name] == nil {
        all.append(name)
        numbers[name] = UInt(all.count)
      }
      var bytes: [UInt8] = []
      starts =
        [0]
        + all.map { name in
          bytes += name.text.utf8
          return bytes.count
        }
      self.all = all
      self.numbers = numbers
      self.bytes = bytes
    }

    func number(of name: FieldName) -> UInt { numbers[name] ?? 0 }

    subscript(number: UInt) -> FieldName { all[Int(number) - 1] }

    /// Whether a number is that of a name.
    func has(_ number: UInt, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
      let range = starts[Int(number) - 1]..<starts[Int(number)]
      guard range.count == name.count else { return false }
      return bytes.withUnsafeBufferPointer {
        compareBytes(UnsafeBufferPointer(rebasing: $0[range]), name) == 0
      }
    }
  }
}

/// FNV-1a of a text's bytes.
func hashBytes(_ text: String) -> UInt64 {
  text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
