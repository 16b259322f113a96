import Testing

@testable import LarderCLI

@Suite("Help, made from the tree")
struct FrameworkHelpTests {
  private let everywhere = """
    Everywhere:
      -C, --directory DIR  work in the household at DIR instead of the current
                           folder
          --json           print one JSON object
          --plain          print tab-separated records, see 'larder help plain'
          --no-color       print without colours
      -P, --no-pager       print long output without the pager, which is git's
          --no-input       never ask; fail if an answer is needed
      -y, --yes            answer every question with yes
          --verbose        say on standard error what each layer does;
                           LARDER_LOG=git,http chooses layers
      -h, --help           show help for the command
      -V, --version        show the version
    """

  @Test("a verb's help shows its arguments, options and examples")
  func verb() {
    let expected = """
      Usage: larder stock consume ITEM [N] [OPTIONS]

      Use some of an item

      Takes from the batch that expires first, then from what is loose, and says what
      came from where and what is left.

        oldest batch, next batch, loose

      Arguments:
        ITEM  what is used
        [N]   how much (1 if left out)

      Options:
        -u, --unit U   the unit of N
        -b, --batch B  from this batch only
        -p, --partial  take what there is

      \(everywhere)

      Examples:
        larder stock consume milk
            one of it
        larder stock consume 'oat milk' 0.5 --unit l

      """
    for line in [
      "stock consume --help", "help stock consume", "-h stock consume", "stock --help consume",
      "stock consume -h --nonsense",
    ] {
      let outcome = Sample.run(line)
      #expect(outcome == Outcome(code: 0, output: expected, errors: ""), "\(line)")
    }
  }

  @Test("a noun's help groups its verbs and says which one it stands for")
  func noun() {
    let expected = """
      Usage: larder stock [COMMAND] [OPTIONS]

      What is in the house

      Commands:
        list     List the stock (if no command is named)
        consume  Use some of an item
        edit     Change fields

      Places:
        move  Move a batch

      \(everywhere)

      Examples:
        larder stock
            list all

      See 'larder stock COMMAND --help' for more about one of them.

      """
    #expect(Sample.run("help stock").output == expected)
    #expect(Sample.run("stock --help").output == expected)
  }

  @Test("the program alone, help alone and --help show the overview without hidden commands")
  func overview() {
    let overview = Sample.run("")
    #expect(overview.code == 0)
    #expect(overview.output.hasPrefix("Usage: larder COMMAND [OPTIONS]\n"))
    #expect(overview.output.contains("\nHousehold:\n  stock  What is in the house\n"))
    #expect(!overview.output.contains("textconv"))
    #expect(Sample.run("help") == overview)
    #expect(Sample.run("--help") == overview)
    #expect(Sample.run("help textconv").output.hasPrefix("Usage: larder textconv ITEM"))
  }

  @Test("options that are limited or may be repeated say so")
  func notes() {
    #expect(
      Sample.run("help stock edit").output.contains(
        "  -s, --set KEY=VALUE  a field and its value (may be repeated)\n"))
    #expect(
      Sample.run("help stock list").output.contains("the order (one of name, expiry, quantity)"))
    #expect(Sample.run("help git").output.hasPrefix("Usage: larder git [--] [ARGS…]\n"))
  }

  @Test("help knows topics, and what may have been meant by an unknown one")
  func topics() {
    #expect(Sample.run("help exit-codes").output == "0 is success.\n")
    #expect(Sample.run("help help").output.contains("  exit-codes  What exit codes mean"))
    #expect(
      Sample.run("help exit-cods")
        == Outcome(
          code: 2, output: "",
          errors: """
            error: unknown command 'exit-cods'
            hint: did you mean 'exit-codes'?
            hint: see 'larder --help'

            """))
    #expect(Sample.run("help stock mvoe").errors.contains("did you mean 'move'?"))
  }

  @Test("help for a command that doesn't exist is an error, not the help of something else")
  func helpForUnknown() {
    #expect(Sample.run("stock cosnume --help").code == 2)
  }

  @Test("no line of help is wider than the terminal, up to a hundred columns")
  func width() {
    for (terminal, most) in [(50, 50), (80, 80), (100, 100), (300, 100)] {
      for node in Sample.root.nodes() {
        let names = node.path.dropFirst().joined(separator: " ")
        let help = Sample.run("help \(names)", terminal: .full(width: terminal)).output
        let widest = help.split(separator: "\n").map { displayWidth(String($0)) }.max() ?? 0
        #expect(widest <= most, "\(names) at \(terminal)")
      }
    }
  }

  @Test("terms too long for their column stand on a line of their own")
  func longTerm() {
    let lines = definitionList(
      [("short", "one two three four"), (String(repeating: "x", count: 40), "five six")],
      width: 22)
    #expect(
      lines == [
        "  short  one two three", "         four", "  " + String(repeating: "x", count: 40),
        "         five six",
      ])
  }

  @Test("the sample tree is declared without problems, and so is the program's")
  func soundTrees() {
    #expect(Sample.root.declarationProblems() == [])
    #expect(Root.command.declarationProblems() == [])
  }

  @Test("a badly declared tree is told what is wrong with it")
  func unsoundTree() {
    let flag = Option("json", short: "C", isRepeatable: true, help: "")
    let bad = Command(
      "bad", summary: "Two\nlines",
      examples: [Example("larder bad --nope"), Example("larder good"), Example("ls")],
      arguments: [
        Argument("A", .zeroOrMore, help: "a"), Argument("A", .optional(standard: nil), help: "b"),
        Argument("C", help: "c"),
      ], options: [flag])
    let misnamed = Command(
      "larder", summary: "All", examples: [Example("larder good")],
      parts: [.init("god") { Command("good", summary: "Good", run: { _ in }) }], run: { _ in })
    #expect(misnamed.declarationProblems().contains("larder: good is declared under another name"))
    let root = Command(
      "larder", summary: "All.",
      subcommands: [bad, bad, Command("good", summary: "Good", run: { _ in })],
      defaultSubcommand: "none", run: { _ in })
    #expect(
      Set(root.declarationProblems()) == [
        "larder: the summary must not end in a full stop",
        "larder: there must be an example",
        "larder: the default subcommand none does not exist",
        "larder: two subcommands have the same name",
        "larder bad: the summary must be one line of at most 70 columns",
        "larder bad: --json has no help",
        "larder bad: --json is declared twice",
        "larder bad: -C is declared twice",
        "larder bad: --json is a flag and can't be repeatable",
        "larder bad: A is declared twice",
        "larder bad: A can't be told from the arguments before it",
        "larder bad: C is required but follows an optional argument",
        "larder bad: there is nothing to run",
        "larder bad: the example 'larder bad --nope': unknown option '--nope'",
        "larder bad: the example 'larder bad --nope': C is missing",
        "larder bad: the example 'larder good' is one of 'larder good'",
        "larder bad: the example must begin with 'larder'",
        "larder good: there must be an example",
      ])
  }

  @Test("the reference has a section for every command that isn't hidden")
  func reference() {
    let text = MarkdownReference(root: Sample.root).text
    let commands = Sample.root.nodes().map { node in
      String(repeating: "#", count: node.path.count) + " " + node.title
    }
    #expect(headings(ofMarkdown: text) == commands + ["## Options of every command"])
    let consume = """
      ### larder stock consume

      Use some of an item.

      ```text
      larder stock consume ITEM [N] [OPTIONS]
      ```

      Takes from the batch that expires first, then from what is loose, and says what came from \
      where and what is left.

      ```text
      oldest batch, next batch, loose
      ```

      Arguments:

      - `ITEM`: what is used
      - `[N]`: how much (1 if left out)

      Options:

      - `-u`, `--unit U`: the unit of N
      - `-b`, `--batch B`: from this batch only
      - `-p`, `--partial`: take what there is

      Examples:

      ```sh
      # one of it
      larder stock consume milk
      larder stock consume 'oat milk' 0.5 --unit l
      ```


      """
    #expect(text.contains(consume))
    #expect(text.contains("  - [`larder stock move`](#larder-stock-move): Move a batch\n"))
    #expect(text.contains("- [`move`](#larder-stock-move): Move a batch\n"))
    #expect(text.contains("`larder stock` alone is `larder stock list`."))
  }

  @Test("the reference shows what people type as code, and escapes only what Markdown would take")
  func referenceText() {
    let text = """
      Somebody's 'larder git -- log' and 'field:', as in '500 g' (or --all); people's list_of <N> \
      with >= 2, < 3 * x and [y], _so_ 'plain git', 'git log'.
      """
    let root = Command(
      "larder", summary: "All", discussion: text,
      parts: [.init("good") { Command("good", summary: "Good", run: { _ in }) }])
    let markdown = """
      Somebody's `larder git -- log` and `field:`, as in `'500 g'` (or `--all`); people's list_of \
      \\<N> with >= 2, < 3 \\* x and \\[y], \\_so\\_ `'plain git'`, `git log`.

      """
    #expect(MarkdownReference(root: root).text.contains(markdown))
  }

  @Test("the tree can be walked for completion, with each command's options")
  func walk() {
    let node = Sample.root.node(at: ["stock", "consume"])
    #expect(node?.title == "larder stock consume")
    #expect(node?.command.options.prefix(3).map(\.spelling) == ["--unit", "--batch", "--partial"])
    #expect(Sample.root.node(at: ["stock", "nothing"]) == nil)
    #expect(!Sample.root.nodes().contains { $0.command.name == "textconv" })
    #expect(Sample.root.nodes(includingHidden: true).contains { $0.command.name == "textconv" })
  }
}
