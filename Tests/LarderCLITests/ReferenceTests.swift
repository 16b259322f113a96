import TestSupport
import Testing

@testable import LarderCLI

@Suite("The reference of all commands")
struct ReferenceTests {
  @Test("the tree is declared soundly: every command has help and examples that parse")
  func declarations() {
    #expect(Root.command.declarationProblems() == [])
  }

  @Test("the reference is the one that was reviewed")
  func reference() throws {
    let text = MarkdownReference(root: Root.command).text
    #expect(try Golden.kept("commands.md", now: text) == text)
  }

  @Test("every topic of help is shown, and no line of it is wider than a terminal")
  func topics() throws {
    let larder = try CommandRunner()
    for topic in Topics.all {
      let shown = try larder("help", topic.name)
      #expect(shown.code == 0)
      #expect(shown.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(topic.name)")
    }
  }
}
