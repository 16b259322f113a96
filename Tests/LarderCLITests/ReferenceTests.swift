import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("The reference of all commands")
struct ReferenceTests {
  @Test("the tree is declared soundly: every command has help and examples that parse")
  func declarations() {
    #expect(Root.command.declarationProblems() == [])
  }

  @Test("docs/commands.md is what the program declares")
  func reference() throws {
    let file = Checkout.root.appending(path: "docs/commands.md")
    let kept = try String(contentsOf: file, encoding: .utf8)
    let printed = try CommandRunner()("reference").output
    let lines = zip(kept.split(separator: "\n"), printed.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }
    let isCurrent = kept == printed
    #expect(
      isCurrent,
      """
      docs/commands.md is out of date; 'make docs' writes it anew.
      It has: \(difference?.0 ?? "another number of lines")
      It should have: \(difference?.1 ?? "the same lines")
      """)
  }

  @Test("every link of the reference leads to a heading, and no heading is there twice")
  func links() {
    let text = ReferenceCommand.reference(of: Root.command)
    let anchors = headings(ofMarkdown: text).map { heading in
      heading.drop { $0 == "#" || $0 == " " }.lowercased()
        .filter { $0.isLetter || $0 == " " || $0 == "-" }.replacing(" ", with: "-")
    }
    let targets = text.matches(of: /\]\(#([^)]+)\)/).map { String($0.1) }
    #expect(Set(anchors).count == anchors.count)
    #expect(Set(targets).isSubset(of: anchors))
    #expect(Set(anchors).subtracting(targets) == ["larder"])
  }

  @Test("every topic of help is shown, and no line of it is wider than a terminal")
  func topics() throws {
    let larder = try CommandRunner()
    for topic in Topics.all {
      let shown = try larder("help", topic.name)
      #expect(shown.code == 0)
      let lines = shown.output.split(separator: "\n")
      #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 80 }, "\(topic.name)")
    }
  }
}

/// The headings of a Markdown text with their signs, without the comments of code in it.
func headings(ofMarkdown text: String) -> [String] {
  text.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
    .flatMap { $0.element.split(separator: "\n").filter { $0.hasPrefix("#") } }.map(String.init)
}
