import LarderJSON
import LarderKit
import Testing

@testable import LarderCLI

@Suite("Running the program")
struct FrameworkProgramTests {
  /// A tree whose one command does what a test wants.
  private func tree(_ run: @escaping Command.Run) -> Command {
    Command(
      "larder", summary: "Test", subcommands: [Command("go", summary: "Go", run: run)])
  }

  @Test("a command gets its words, with what stands for those left out")
  func invocation() {
    #expect(
      Sample.run("stock consume milk") == Outcome(code: 0, output: "used 1 of milk\n", errors: ""))
    #expect(Sample.run("stock consume milk 2 -u l").output == "used 2 l of milk\n")
    #expect(Sample.run("stock") == Outcome(code: 0, output: "listed\n", errors: ""))
  }

  @Test("several mistakes in a line are shown together")
  func usageErrors() {
    let expected = """
      error: can't understand 'larder stock consume': 3 mistakes
        unknown option '--nuit'; did you mean '--unit'?
        --batch needs a value, B
        ITEM is missing
      hint: see 'larder stock consume --help'

      """
    #expect(
      Sample.run("stock consume --nuit=l --batch")
        == Outcome(code: 2, output: "", errors: expected))
    #expect(
      Sample.run("stok").errors
        == "error: unknown command 'stok'\nhint: did you mean 'larder stock'?\nhint: see 'larder --help'\n"
    )
  }

  @Test("a command's error is shown and gives its exit code")
  func errorWords() {
    #expect(
      Sample.run("cloud push")
        == Outcome(code: 6, output: "", errors: "error: can't reach the cloud\n"))
    #expect(
      Sample.run("cloud pull")
        == Outcome(code: 1, output: "", errors: "error: unforeseen: Unforeseen()\n"))
  }

  @Test("with --json an error is an object on standard output")
  func errorAsJSON() {
    let root = tree { _ in
      throw ErrorWords(
        .invalidData, "bad \u{1B}[1mname",
        problems: [Problem("no", path: "a", line: 1, column: 2), Problem("b")],
        hints: ["look"])
    }
    let expected = """
      {
        "version": 1,
        "error": {
          "kind": "invalidData",
          "message": "bad \\u001b[1mname",
          "hints": [
            "look"
          ],
          "problems": [
            { "path": "a", "line": 1, "column": 2, "message": "no", "severity": "error" },
            { "message": "b", "severity": "error" }
          ]
        }
      }

      """
    #expect(Sample.run("go --json", root) == Outcome(code: 5, output: expected, errors: ""))
    #expect(Sample.run("nonsense --json").output.contains("\"kind\": \"usage\""))
  }

  @Test("warnings go to standard error, also with --json")
  func warnings() {
    let root = tree { $0.output.warn("the clock is off") }
    for line in ["go", "go --json", "go --plain"] {
      #expect(
        Sample.run(line, root)
          == Outcome(code: 0, output: "", errors: "warning: the clock is off\n"))
    }
  }

  @Test("records have the columns of their declaration, and keep every character")
  func records() {
    let record = Column<String>.records(
      ("name", { $0 }), ("bytes", { String($0.utf8.count) }), ("", { _ in "" }))
    let root = tree { $0.output.records(["Milk", "for\tcoffee", "C:\\\r\n\u{7}"], record) }
    #expect(record.form().columns == ["name", "bytes", ""])
    #expect(
      Sample.run("go --plain", root).output == """
        Milk\t4\t
        for\\tcoffee\t10\t
        C:\\\\\\r\\n\\u0007\t6\t

        """)
  }

  @Test("the version is shown in the form asked for")
  func version() {
    #expect(Sample.run("--version").output == "larder 1.2.3\n")
    #expect(Sample.run("stock --version").output == "larder 1.2.3\n")
    #expect(
      Sample.run("--version --json").output == "{\n  \"version\": 1,\n  \"larder\": \"1.2.3\"\n}\n")
  }

  @Test("colours are shown on a terminal only, and not where they are unwanted")
  func colors() {
    let root = tree { $0.output.line("x", .bold) }
    let colorful = "\u{1B}[1mx\u{1B}[0m\n"
    let terminal = Terminal.full(allowsColor: true)
    #expect(Sample.run("go", root, terminal: terminal).output == colorful)
    #expect(Sample.run("go --no-color", root, terminal: terminal).output == "x\n")
    #expect(Sample.run("go --plain", root, terminal: terminal).output == "x\n")
    #expect(Sample.run("go", root, terminal: .full(allowsColor: false)).output == "x\n")
    #expect(Sample.run("go", root).output == "x\n")
  }

  @Test("the environment decides about colours and width")
  func environment() {
    #expect(Terminal.detect(Environment([:])).allowsColor)
    #expect(Terminal.detect(Environment(["NO_COLOR": ""])).allowsColor)
    #expect(!Terminal.detect(Environment(["NO_COLOR": "1"])).allowsColor)
    #expect(!Terminal.detect(Environment(["TERM": "dumb"])).allowsColor)
    #expect(Terminal.detect(Environment(["COLUMNS": "57"])).width == 57)
    #expect(Terminal.detect(Environment(["COLUMNS": "-3"])).width > 0)
  }

  @Test("what a command says is sanitised")
  func sanitised() {
    let root = tree { invocation in
      invocation.output.line("a\u{1B}[2Jb")
      invocation.output.note("c\u{202E}d")
    }
    #expect(Sample.run("go", root) == Outcome(code: 0, output: "a[2Jb\n", errors: "cd\n"))
  }
}
