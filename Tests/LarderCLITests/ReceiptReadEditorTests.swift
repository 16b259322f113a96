import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Receipts that are read, and corrected in an editor")
struct ReceiptReadEditorTests {
  private static let text = """
    CORNER PANTRY
    20 Nov 2026 08:14
    OATLY BARISTA 1L       2.19
    BREAD 2 x 1.50         3.50
    TOTAL                  5.19
    """

  private func editor(_ script: String, in nest: Nest) throws -> String {
    try nest.larder.folder.write(
      "cp \"$1\" '\(nest.larder.folder("seen"))'\n\(script)\n", to: "editor.sh")
    return "sh '\(nest.larder.folder("editor.sh"))'"
  }

  @Test("the form shows what is doubtful, and a name that somebody gives is known from then on")
  func learned() throws {
    let nest = try Nest()
    try nest.prepare("put 'Oat milk' 1l Bread 1 --new")
    try nest.write(Self.text, to: "../receipt.txt")
    let editor = try editor(
      "sed -i.bak 's/^1 OATLY BARISTA 1L/1 Oat milk/; s/3.50/3.00/' \"$1\"",
      in: nest)
    let read = try nest.atTerminal("--no-color receipt read ../receipt.txt", editor: editor)
    #expect(read.code == 0, "\(read.screen)")
    #expect(read.screen.contains("saved CORNER PANTRY, 2026-11-20 08:14, 5.19 EUR"))
    let seen = try nest.larder.folder.read("seen")
    #expect(
      seen.hasPrefix(
        """
        Shop: CORNER PANTRY
        Paid: 2026-11-20 08:14
        Amount: 5.19

        1 OATLY BARISTA 1L @@ 2.19
        # doubtful: BREAD 2 x 1.50 3.50
        2 BREAD @@ 3.50
        """), "\(seen)")
    #expect(seen.contains("# The lines make 5.69, and the total is 5.19, 0.50 less."), "\(seen)")
    #expect(seen.contains("# OATLY BARISTA 1L 2.19"))
    #expect(try nest.subjects().first == "read a receipt of CORNER PANTRY")
    let item = try nest("stock list 'oat milk' --json").array("items")[0]
    #expect(item["aliases"] as? [String] == ["OATLY BARISTA 1L"])
    #expect(item["total"] as? Int == 2)
    // The next one is read without an editor.
    let next = "CORNER PANTRY\n21.11.2026 9:00\n3 x Oatly Barista 1L  6.57\nTOTAL  6.57\n"
    let again = try nest("receipt read -", input: next)
    #expect(again.output.contains("Oat milk"), "\(again)")
    #expect(try nest("stock list 'oat milk' --plain").records[0][1] == "5")
    let known = try nest.atTerminal("--no-color receipt read ../receipt.txt", editor: "false")
    #expect(known.screen.contains("it was saved before"))
  }

  @Test("what still does not add up is not saved, and what somebody wrote is kept")
  func stillWrong() throws {
    let nest = try Nest()
    try nest.write(Self.text, to: "../receipt.txt")
    let editor = try editor("sed -i.bak 's/3.50/3.10/' \"$1\"", in: nest)
    let read = try nest.atTerminal(
      "--no-color receipt read ../receipt.txt", typing: "n\n", editor: editor)
    #expect(read.code == 2 || read.code == 5 || read.code == 1, "\(read.screen)")
    #expect(read.screen.contains("5.19") && read.screen.contains("5.29"), "\(read.screen)")
    #expect(read.screen.contains("what you wrote is kept in"), "\(read.screen)")
    #expect(try nest("receipt list --plain").output.isEmpty)
  }

  @Test("without a change, nothing is saved; with --edit, what adds up is saved as it is")
  func unchanged() throws {
    let nest = try Nest()
    try nest.write(Self.text, to: "../receipt.txt")
    let left = try nest.atTerminal("--no-color receipt read ../receipt.txt", editor: "true")
    #expect(left.code == 0 && left.screen.contains("nothing was saved"), "\(left.screen)")
    #expect(try nest("receipt list --plain").output.isEmpty)
    try nest.write(Self.text.replacing("3.50", with: "3.00"), to: "../receipt.txt")
    let emptied = try nest.atTerminal(
      "--no-color receipt read ../receipt.txt --edit", editor: try editor(": > \"$1\"", in: nest))
    #expect(emptied.screen.contains("nothing was saved"), "\(emptied.screen)")
    let taken = try nest.atTerminal(
      "--no-color receipt read ../receipt.txt --edit", typing: "n\n", editor: "true")
    #expect(taken.screen.contains("Keep track of them?"), "\(taken.screen)")
    #expect(taken.screen.contains("saved CORNER PANTRY"), "\(taken.screen)")
    let again = try nest.atTerminal(
      "--no-color receipt read ../receipt.txt --edit", typing: "n\n", editor: "true")
    #expect(again.screen.contains("it was saved before"), "\(again.screen)")
  }
}
