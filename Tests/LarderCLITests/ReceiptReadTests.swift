import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Receipts that are read from a text")
struct ReceiptReadTests {
  /// A receipt that adds up, with a weight, a multiple, a deposit and a discount.
  static let text = """
    Hofmarkt Süd
    Lange Gasse 3, 80331 München
                              EUR
    BUTTER                    2,29 B
    VOLLMILCH 3,5% 1L         2,38 B
       2 Stk x      1,19
    TOMATEN RISPE             1,86 B
       0,624 kg x   2,98 EUR/kg
    PFAND                     0,25 A
    Rabatt                   -0,50
    -------------------------------
    SUMME         EUR         6,28
    BAR           EUR        10,00
    RÜCKGELD      EUR         3,72
    13.11.2026  17:35  Bon 1021
    """

  @Test("two receipts of one minute with other numbers are two; the same one is saved once")
  func numbers() throws {
    let nest = try Nest()
    func text(_ number: String) -> String {
      "Corner\nBREAD 2,00\nMILK 1,19\nTOTAL 3,19\n20.11.2026 10:00 \(number)\n"
    }
    #expect(try nest("receipt read -", input: text("Bon-Nr. 17")).code == 0)
    let again = try nest("receipt read -", input: text("Bon-Nr. l7"))
    #expect(again.code == 0 && again.errors.contains("it was saved before"), "\(again)")
    let other = try nest("receipt read -", input: text("Bon-Nr. 18"))
    #expect(other.code == 1 && other.errors.contains("--yes saves another one"), "\(other)")
    #expect(try nest("receipt read - --yes", input: text("Bon-Nr. 18")).code == 0)
    #expect(try nest("receipt list --plain").records.count == 2)
    #expect(
      try nest("receipt read - --yes", input: text("Bon-Nr. 18")).errors.contains("saved before"))
    // One that was saved without its number may be the same one.
    let older = "Corner\nTEA 4,00\nTOTAL 4,00\n20.11.2026 10:00\n"
    #expect(try nest("receipt read -", input: older).code == 0)
    let numbered = try nest("receipt read -", input: older + "Bon 19\n")
    #expect(numbered.code == 0 && numbered.errors.contains("if it is another one, --yes saves it"))
    #expect(try nest("receipt read - --yes", input: older + "Bon 19\n").output.hasPrefix("saved "))
    #expect(try nest("receipt list --plain").records.count == 4)
  }

  @Test("two devices that read the same text count it once", arguments: ["", " --new"])
  func devices(rule: String) throws {
    let pair = try Pair("put Butter 1 Vollmilch 1l --new")
    try pair.larder.folder.write(Self.text, to: "receipt.txt")
    for device in ["laptop", "phone"] {
      try pair.prepare(device, "receipt read ../receipt.txt\(rule)")
    }
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair.total("Butter", on: device) == 2)
      #expect(try pair.total("Vollmilch", on: device) == 3)
      #expect(try pair(device, "receipt list --json").array("items").count == 1)
      #expect(try pair(device, "stock --json").array("items").count == (rule.isEmpty ? 2 : 3))
      #expect(try pair.list(on: device).isEmpty)
    }
  }

  @Test("what is no UTF-8 or no text is told with what to do")
  func bytes() throws {
    let nest = try Nest()
    let files: [(String, [UInt8], String)] = [
      ("latin", Array("K".utf8) + [0xE4] + Array("se 1,00\n".utf8), "seems to be WINDOWS-1252"),
      ("kana", [0x83, 0x81, 0x83, 0x8D, 0x83, 0x93, 0x20, 0x31], "seems to be SHIFT_JIS"),
      ("wide", [0xFF, 0xFE, 0x41, 0], "seems to be UTF-16"),
      ("zeros", [0, 0, 0, 0], "is no text"), ("zip", [0x50, 0x4B, 3, 4, 0], "is an archive"),
      ("heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "in the format HEIC"),
      ("long", Array(repeating: 0x41, count: 17 << 20), "is larger than 16 MiB"),
    ]
    for (name, bytes, message) in files {
      try Data(bytes).write(to: URL(filePath: nest.larder.folder(name)))
      let read = try nest("receipt read ../\(name)")
      #expect(read.code == 5, "\(name)")
      #expect(read.errors.contains(message), "\(read.errors)")
    }
    #expect(try nest("receipt read ../nothing").errors.contains("No such file"))
    #expect(try nest("receipt read ..").errors.contains("directory"))
    #expect(try nest("receipt read /dev/zero").code == 5)
  }
}
