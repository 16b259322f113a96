import Foundation
import TestSupport
import Testing

@Suite("What is typed and what is shown")
struct TypedCareTests {
  @Test("an argument that is no UTF-8 is refused, so that nobody keeps a damaged name")
  func latin1() throws {
    let nest = try Nest()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" stock new \"$(printf 'Caf\\351')\" 2>err", CommandRunner.program.path(),
    ]
    process.environment = nest.larder.environment
    process.currentDirectoryURL = URL(filePath: nest.larder.folder("nest"))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(try nest.read("err").contains("word 3 is no UTF-8: 'Caf�'"))
    #expect(try nest("stock --json").array("items").isEmpty)
  }

  @Test("no list is wider than the terminal while there is room for its columns")
  func width() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new 'The fridge in the cellar behind the bicycles'",
      "stock new 'Milk of the farm behind the church' --unit liter",
      "stock put 'milk of the farm behind the church' 1 --expiry 2026-12-01 --location fridge")
    for line in ["stock due --days 31", "stock due --days 14", "stock", "stock list --batches"] {
      let shown = try nest.atTerminal(line).screen.replacing(/\u{1b}\[[0-9;]*m/, with: "")
      for row in shown.split(separator: "\n") { #expect(row.count <= 80, "\(line): \(row)") }
    }
  }
}
