import Testing

@testable import LarderCLI

/// A line and what it is understood as: the command, then `ARGUMENT=word`, `--option=value`, then
/// `! mistake` for each.
private struct Line: Sendable, CustomTestStringConvertible {
  let text: String
  let meaning: [String]

  init(_ text: String, _ meaning: String...) {
    self.text = text
    self.meaning = meaning
  }

  var testDescription: String { "larder " + text }
}

private func meaning(of line: String) -> [String] {
  let parsed = CommandLineParser(root: Sample.root).parse(shellWords(line))
  var parts = [parsed.node.path.dropFirst().joined(separator: " ")]
  for argument in parsed.node.command.arguments {
    parts += (parsed.arguments[argument.name] ?? []).map { "\(argument.name)=\($0)" }
  }
  for name in parsed.options.keys.sorted() {
    parts += (parsed.options[name] ?? []).map { $0.isEmpty ? "--\(name)" : "--\(name)=\($0)" }
  }
  return parts + parsed.problems.map { "! \($0.message)" + ($0.question.map { ": \($0)" } ?? "") }
}

@Suite("Reading a command line")
struct FrameworkParsingTests {
  @Test("a line that is well written gives its command, arguments and options", arguments: sound)
  fileprivate func soundLines(line: Line) {
    #expect(meaning(of: line.text) == line.meaning)
  }

  @Test("every mistake in a line is reported, with what may have been meant", arguments: faulty)
  fileprivate func faultyLines(line: Line) {
    #expect(meaning(of: line.text) == line.meaning)
  }

  @Test("an empty word is an argument like any other")
  func emptyWord() {
    let parsed = CommandLineParser(root: Sample.root).parse(["stock", "consume", ""])
    #expect(parsed.arguments["ITEM"] == [""])
    #expect(parsed.problems.isEmpty)
  }

  @Test(
    "an option's value is not empty, unless its help says what that means",
    arguments: [["--unit", ""], ["--unit="]])
  func emptyValue(words: [String]) {
    let parser = CommandLineParser(root: Sample.root)
    let parsed = parser.parse(["stock", "consume", "milk"] + words)
    #expect(parsed.problems == [.missingValue(option: "--unit", placeholder: "U")])
    let takesEmpty = Command(
      "note", summary: "", options: [Option("text", value: "T", takesEmpty: true, help: "")]
    ) { _ in }
    let taken = CommandLineParser(root: takesEmpty).parse(["--text", ""])
    #expect(taken.options["text"] == [""])
    #expect(taken.problems.isEmpty)
  }

  @Test("the output's form is known also where the rest of the line is wrong")
  func modeOfFaultyLine() {
    let parser = CommandLineParser(root: Sample.root)
    #expect(parser.parse(["nonsense", "--json"]).mode == .json)
    #expect(parser.parse(["stock", "--nonsense", "--plain"]).mode == .plain)
    #expect(parser.parse(["git", "--", "log", "--json"]).mode == .human)
  }

  private static let sound = [
    Line("", ""),
    Line("stock", "stock list"),
    Line("stock list", "stock list"),
    Line("stock --all", "stock list", "--all"),
    Line("stock -n5", "stock list", "--limit=5"),
    Line("stock -n 5 list", "stock list", "--limit=5"),
    Line("stock --limit 5 list milk", "stock list", "FILTER=milk", "--limit=5"),
    Line("--limit 5 stock list", "stock list", "--limit=5"),
    Line("--unit l stock consume milk", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume milk", "stock consume", "ITEM=milk"),
    Line("stock consume milk 2", "stock consume", "ITEM=milk", "N=2"),
    Line("stock consume 'oat milk' 2", "stock consume", "ITEM=oat milk", "N=2"),
    Line("stock consume milk -3", "stock consume", "ITEM=milk", "N=-3"),
    Line("stock consume milk -0.5", "stock consume", "ITEM=milk", "N=-0.5"),
    Line("stock consume milk -.5", "stock consume", "ITEM=milk", "N=-.5"),
    Line("stock consume milk -0,5", "stock consume", "ITEM=milk", "N=-0,5"),
    Line("stock consume -", "stock consume", "ITEM=-"),
    Line("stock consume -- -x", "stock consume", "ITEM=-x"),
    Line("stock consume -- --unit", "stock consume", "ITEM=--unit"),
    Line("stock consume milk -- -- ", "stock consume", "ITEM=milk", "N=--"),
    Line("stock consume milk --unit l", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume --unit l milk", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume --unit=l milk", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume --unit=a=b milk", "stock consume", "ITEM=milk", "--unit=a=b"),
    Line("stock consume --unit=-x milk", "stock consume", "ITEM=milk", "--unit=-x"),
    Line("stock consume --unit -3 milk", "stock consume", "ITEM=milk", "--unit=-3"),
    Line("stock consume --unit - milk", "stock consume", "ITEM=milk", "--unit=-"),
    Line("stock consume -u l milk", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume -ul milk", "stock consume", "ITEM=milk", "--unit=l"),
    Line("stock consume -pul milk", "stock consume", "ITEM=milk", "--partial", "--unit=l"),
    Line("stock consume -pu l milk", "stock consume", "ITEM=milk", "--partial", "--unit=l"),
    Line("stock consume -py milk", "stock consume", "ITEM=milk", "--partial", "--yes"),
    Line("stock consume milk -p -p", "stock consume", "ITEM=milk", "--partial"),
    Line(
      "stock consume milk 1 -u l -b x", "stock consume", "ITEM=milk", "N=1", "--batch=x", "--unit=l"
    ),
    Line("-C home stock", "stock list", "--directory=home"),
    Line("-Chome stock", "stock list", "--directory=home"),
    Line("-yC home stock", "stock list", "--directory=home", "--yes"),
    Line("stock -C home", "stock list", "--directory=home"),
    Line("stock -C home list", "stock list", "--directory=home"),
    Line("stock list -C home", "stock list", "--directory=home"),
    Line("--directory=home stock", "stock list", "--directory=home"),
    Line("-C stock stock", "stock list", "--directory=stock"),
    Line("--json stock", "stock list", "--json"),
    Line("stock list --plain --no-color", "stock list", "--no-color", "--plain"),
    Line("stock list -category:dairy", "stock list", "FILTER=-category:dairy"),
    Line("stock list milk -is:low -a", "stock list", "FILTER=milk", "FILTER=-is:low", "--all"),
    Line("stock list -name:x", "stock list", "FILTER=-name:x"),
    Line("stock list --sort expiry", "stock list", "--sort=expiry"),
    Line("stock list +3d 'quantity:>2'", "stock list", "FILTER=+3d", "FILTER=quantity:>2"),
    Line("stock edit a b c", "stock edit", "ITEM=a", "ITEM=b", "ITEM=c"),
    Line("stock edit a -s x=1 -s y=2", "stock edit", "ITEM=a", "--set=x=1", "--set=y=2"),
    Line("stock edit a --set=x=1 b", "stock edit", "ITEM=a", "ITEM=b", "--set=x=1"),
    Line("stock move b1 fridge", "stock move", "BATCH=b1", "LOCATION=fridge"),
    Line("stock move b1 fridge 2", "stock move", "BATCH=b1", "LOCATION=fridge", "N=2"),
    Line("copy a b", "copy", "FROM=a", "TO=b"),
    Line("copy a b c", "copy", "FROM=a", "FROM=b", "TO=c"),
    Line("git", "git"),
    Line("git log -p --json", "git", "ARGS=log", "ARGS=-p", "ARGS=--json"),
    Line("git -- log -- x", "git", "ARGS=log", "ARGS=--", "ARGS=x"),
    Line("git -- --help", "git", "ARGS=--help"),
    Line("git --help", "git", "--help"),
    Line("-C home git status -C x", "git", "ARGS=status", "ARGS=-C", "ARGS=x", "--directory=home"),
    Line("completion zsh", "completion", "SHELL=zsh"),
    Line("textconv f", "textconv", "ITEM=f"),
    Line("help stock consume", "help", "COMMAND=stock", "COMMAND=consume"),
    Line("stock --help", "stock", "--help"),
    Line("cloud -h", "cloud", "--help"),
    Line("--version", "", "--version"),
  ]

  private static let faulty = [
    Line("stok", "", "! unknown command 'stok': did you mean 'larder stock'?"),
    Line("st", "", "! unknown command 'st': did you mean 'larder stock'?"),
    Line("zzz", "", "! unknown command 'zzz'"),
    Line(
      "consume milk", "", "! unknown command 'consume': did you mean 'larder stock consume milk'?"),
    Line(
      "stock cosnume milk", "stock",
      "! unknown command 'cosnume' under 'larder stock': did you mean 'larder stock consume milk'?"),
    Line(
      "stock milk", "stock",
      "! unknown command 'milk' under 'larder stock': did you mean 'larder stock list milk'?"),
    Line(
      "stock 'oat milk'", "stock",
      "! unknown command 'oat milk' under 'larder stock': did you mean 'larder stock list \"oat milk\"'?"
    ),
    Line("textcon f", "", "! unknown command 'textcon'"),
    Line("cloud", "cloud", "! 'larder cloud' needs one of: push, pull"),
    Line("stock consume", "stock consume", "! ITEM is missing"),
    Line("stock move", "stock move", "! BATCH is missing", "! LOCATION is missing"),
    Line("stock move b1", "stock move", "BATCH=b1", "! LOCATION is missing"),
    Line("copy a", "copy", "FROM=a", "! TO is missing"),
    Line("copy", "copy", "! FROM is missing", "! TO is missing"),
    Line("stock edit", "stock edit", "! ITEM is missing"),
    Line(
      "stock consume milk 1 2", "stock consume", "ITEM=milk", "N=1",
      "! one argument too many: '2'"),
    Line(
      "stock consume milk 1 2 3", "stock consume", "ITEM=milk", "N=1",
      "! 2 arguments too many: '2' '3'"),
    Line(
      "stock consume milk --nuit l", "stock consume", "ITEM=milk", "N=l",
      "! unknown option '--nuit': did you mean '--unit'?"),
    Line(
      "stock consume milk --part", "stock consume", "ITEM=milk",
      "! unknown option '--part': did you mean '--partial'?"),
    Line(
      "stock consume milk -partial", "stock consume", "ITEM=milk",
      "! unknown option '-partial': did you mean '--partial'?"),
    Line(
      "stock consume milk -unit l", "stock consume", "ITEM=milk", "N=l",
      "! unknown option '-unit': did you mean '--unit'?"),
    Line("stock consume milk -x", "stock consume", "ITEM=milk", "! unknown option '-x'"),
    Line(
      "stock consume milk -px", "stock consume", "ITEM=milk", "--partial",
      "! unknown option '-x'"),
    Line("stock consume milk -unit:l", "stock consume", "ITEM=milk", "--unit=nit:l"),
    Line(
      "stock consume milk --unit", "stock consume", "ITEM=milk", "! --unit needs a value, U"),
    Line("stock consume milk -u", "stock consume", "ITEM=milk", "! -u needs a value, U"),
    Line(
      "stock consume --unit --partial milk", "stock consume", "ITEM=milk", "--partial",
      "! --unit needs a value, U"),
    Line(
      "stock consume milk --unit -- 2", "stock consume", "ITEM=milk", "N=2",
      "! --unit needs a value, U"),
    Line(
      "stock consume milk --partial=yes", "stock consume", "ITEM=milk",
      "! --partial takes no value, found 'yes'"),
    Line(
      "stock consume milk -u l --unit kg", "stock consume", "ITEM=milk", "--unit=l",
      "! --unit is given more than once"),
    Line("-C a stock -C b", "stock list", "--directory=a", "! -C is given more than once"),
    Line(
      "stock list --sort nmae", "stock list", "--sort=nmae",
      "! --sort: 'nmae' is none of name, expiry, quantity: did you mean 'name'?"),
    Line(
      "completion ksh", "completion", "SHELL=ksh",
      "! SHELL: 'ksh' is none of bash, zsh, fish: did you mean 'zsh'?"),
    Line(
      "stock --json --plain", "stock list", "--json", "--plain",
      "! only one of --json and --plain can be given"),
    Line(
      "stock consume --nuit=l --batch -x", "stock consume",
      "! unknown option '--nuit': did you mean '--unit'?", "! --batch needs a value, B",
      "! unknown option '-x'", "! ITEM is missing"),
  ]
}
