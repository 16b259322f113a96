import Synchronization
import Testing

@testable import LarderCLI
import Libc

@Suite("Asking and showing progress")
struct FrameworkPromptTests {
  private let asking = Command(
    "larder", summary: "Test",
    subcommands: [
      Command("go", summary: "Go") { invocation in
        let answer = invocation.prompt.confirm("Really\u{1B}[2J?")
        invocation.output.line(answer.map { $0 ? "yes" : "no" } ?? "nobody")
      },
      Command("log-in", summary: "Log in") { invocation in
        invocation.output.line(invocation.prompt.secret("Password:") ?? "nobody")
      },
    ])

  @Test(
    "yes and no are read in many languages, and an empty answer is no",
    arguments: [
      ("y", "yes"), ("Yes", "yes"), (" y ", "yes"), ("yes!", "yes"), ("ja", "yes"), ("J", "yes"),
      ("oui", "yes"), ("si", "yes"), ("sí", "yes"), ("SIM", "yes"), ("да", "yes"), ("tak", "yes"),
      ("kyllä", "yes"), ("evet", "yes"), ("ναι", "yes"), ("はい", "yes"), ("n", "no"), ("", "no"),
      ("Nein.", "no"), ("non", "no"), ("não", "no"), ("nie", "no"), ("ne", "no"), ("нет", "no"),
      ("hayır", "no"), ("  ", "no"),
    ])
  func answers(typed: String, answer: String) {
    #expect(
      Sample.run("go", asking, terminal: .full(), answers: [typed])
        == Outcome(code: 0, output: answer + "\n", errors: "Really[2J? [y/N] "))
  }

  @Test(
    "what is neither yes nor no is asked again",
    arguments: ["yikes", "maybe", "yes and no", "q", "yn", "jain", "?"])
  func neither(typed: String) {
    for (last, answer) in [("ja", "yes"), ("nein", "no")] {
      #expect(
        Sample.run("go", asking, terminal: .full(), answers: [typed, last])
          == Outcome(
            code: 0, output: answer + "\n",
            errors: "Really[2J? [y/N] '\(typed)' is neither yes nor no; type y or n\n"
              + "Really[2J? [y/N] "))
    }
    #expect(Sample.run("go", asking, terminal: .full(), answers: [typed]).output == "no\n")
  }

  @Test("the end of the input is no")
  func endOfInput() {
    #expect(Sample.run("go", asking, terminal: .full()).output == "no\n")
  }

  @Test("nobody is asked without a terminal, with --no-input, or where --yes has answered")
  func notAsked() {
    let nobody = Outcome(code: 0, output: "nobody\n", errors: "")
    let yes = Outcome(code: 0, output: "yes\n", errors: "")
    #expect(Sample.run("go", asking, answers: ["y"]) == nobody)
    #expect(Sample.run("go --no-input", asking, terminal: .full(), answers: ["y"]) == nobody)
    #expect(Sample.run("go --yes", asking) == yes)
    #expect(Sample.run("go -y --no-input", asking, terminal: .full(), answers: ["n"]) == yes)
    #expect(Sample.run("log-in --yes", asking).output == "nobody\n")
  }

  @Test("a secret is asked on standard error and ends its line")
  func secret() {
    #expect(
      Sample.run("log-in", asking, terminal: .full(), answers: ["hush"])
        == Outcome(code: 0, output: "hush\n", errors: "Password: \n"))
  }

  /// A progress line on a clock that the test sets, and what it drew.
  private func drawn(
    isShown: Bool = true, width: Int = 20, _ steps: [(milliseconds: Int, text: String)],
    finish: Bool = true
  ) -> String {
    let recorder = Recorder()
    let start = ContinuousClock.now
    let clock = SettableClock()
    let line = ProgressLine(
      sink: recorder.sink, isShown: isShown, width: width,
      now: { start + .milliseconds(clock.milliseconds) })
    for step in steps {
      clock.milliseconds = step.milliseconds
      line.update(step.text)
    }
    if finish { line.finish() }
    return recorder.text
  }

  @Test("progress shows after half a second, at most ten times a second, and leaves nothing")
  func progress() {
    let erase = "\r\u{1B}[K"
    #expect(drawn([(0, "a"), (200, "b"), (499, "c")]) == "")
    #expect(drawn([(0, "a"), (500, "b")]) == "\(erase)b\(erase)")
    #expect(
      drawn([(0, "a"), (500, "b"), (599, "c"), (600, "d")]) == "\(erase)b\(erase)d\(erase)")
    #expect(drawn(isShown: false, [(0, "a"), (900, "b")]) == "")
    #expect(
      drawn(width: 8, [(0, ""), (900, "fetching\u{1B}[2J objects")], finish: false)
        == "\(erase)fetchi…")
  }

  @Test("a message clears the progress line first")
  func progressAndMessages() {
    let recorder = Recorder()
    let output = Output(
      mode: .human, terminal: .full(), standardOutput: recorder.sink,
      standardError: recorder.sink)
    output.progress.update("x")
    usleep(520_000)
    output.progress.update("busy")
    output.note("hello")
    output.progress.finish()
    #expect(recorder.text == "\r\u{1B}[Kbusy\r\u{1B}[Khello\n")
  }
}

/// A time that a test sets.
final class SettableClock: Sendable {
  private let value = Mutex(0)

  var milliseconds: Int {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
