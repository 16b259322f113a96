import LarderJSON
import LarderKit
internal import LarderText

extension KeptVersion {
  /// The sentence about both versions.
  var sentence: String { "\(original) was changed on both sides; the other version is \(path)" }

  static let hint =
    "'larder conflicts restore FILE' puts the other version in the file's place; 'git rm FILE' and a "
    + "commit drop it, on every device"

  /// The finding of `check`, which stays until the file is gone.
  var problem: Problem {
    Problem(
      "this is another version of \(original), which was changed on both sides", path: path.text,
      severity: .warning)
  }

  var json: JSON {
    .object([JSONMember("path", .string(original.text)), JSONMember("second", .string(path.text))])
  }
}
