import LarderGit
import LarderJSON
import LarderModel
import LarderStore

/// `larder log`: who did what, newest first.
enum LogCommand {
  static let reference = Argument(
    "REF", .optional(standard: nil),
    help: "a thing, to see only its commits, or a commit to begin at, as git names it")
  static let limit = Option(
    "limit", short: "n", value: "N", help: "show at most N commits; 0 shows all (30 if left out)")

  static let command = Command(
    "log", summary: "Show who did what, newest first",
    discussion: """
      An item's commits are also those of its batches. What a commit changed is told in words, with \
      the quantity before and after.
      """,
    group: "History",
    examples: [
      Example("larder log"), Example("larder log 'oat milk'", "who used the last one?"),
      Example("larder log HEAD~10 --limit 5"),
    ],
    arguments: [reference], options: [limit]
  ) { invocation in
    let limit = try count(invocation)
    try invocation.withStore { store in
      let household = try store.read().household
      let start = try beginning(invocation.given(reference), store, household)
      let words = DifferenceWords(before: household, after: household)
      let telling = Telling(words: words, output: invocation.output)
      let isCut = try chapters(store, start, limit) { telling.tell($0) }
      telling.finish()
      if isCut { invocation.output.note("older commits are left out; --limit 0 shows all") }
    }
  }

  private static func count(_ invocation: Invocation) throws -> Int {
    guard let text = invocation[limit] else { return 30 }
    guard let number = Int(text), number >= 0 else {
      throw invocation.unreadable(text, for: limit.spelling, "a whole number is needed")
    }
    return number == 0 ? .max : number
  }

  /// Where to begin, and what to look for; all where that is nil.
  private struct Start {
    var commit: ObjectID?
    var keys: Set<EntityKey>?
  }

  private static func beginning(
    _ reference: String?, _ store: Store, _ household: Household
  ) throws -> Start {
    guard let repository = store.repository else {
      throw StoreError.notARepository(root: store.root)
    }
    let head = try repository.head().commit
    guard let reference else { return Start(commit: head) }
    let subject = LogSubject(household)
    if let keys = subject.exactly(reference) { return Start(commit: head, keys: keys) }
    if let commit = try repository.resolve(reference) { return Start(commit: commit) }
    return Start(commit: head, keys: try subject.like(reference))
  }

  /// Hands over chapters until there are enough; tells whether there would be more.
  private static func chapters(
    _ store: Store, _ start: Start, _ limit: Int, _ tell: (Chapter) -> Void
  ) throws -> Bool {
    guard let repository = store.repository, let first = start.commit else { return false }
    let reader = CommitDifferences(repository)
    var told = 0
    var isCut = false
    try repository.history(from: first) { (commit) throws(GitError) in
      let isMerge = commit.parents.count > 1
      if isMerge, start.keys != nil { return true }
      var differences = isMerge ? [] : try reader.differences(of: commit)
      if let keys = start.keys {
        differences.removeAll { !keys.contains($0.key) }
        if differences.isEmpty { return true }
      }
      if told == limit {
        isCut = true
        return false
      }
      told += 1
      tell(Chapter(commit: commit, differences: differences))
      return true
    }
    return isCut
  }
}

/// Prints chapters as they come, or all at once as JSON.
private final class Telling {
  private static let mostLines = 12

  private let words: DifferenceWords
  private let output: Output
  private var commits: [JSON] = []

  init(words: DifferenceWords, output: Output) {
    self.words = words
    self.output = output
  }

  func tell(_ chapter: Chapter) {
    switch output.mode {
    case .json: commits.append(chapter.json(words))
    case .plain:
      output.record([
        chapter.commit.id.hex, chapter.commit.at.description, chapter.commit.author.name,
        chapter.commit.device ?? "", chapter.commit.subject,
      ])
    case .human: write(chapter)
    }
  }

  func finish() {
    if output.mode == .json { output.json([JSONMember("commits", .array(commits))]) }
  }

  private func write(_ chapter: Chapter) {
    let time = words.words.time.text(of: chapter.commit.at)
    let place = output.paint("\(time)  \(chapter.commit.id.short)  \(chapter.commit.who)", .dim)
    output.write(place + "\n  " + output.paint(chapter.commit.subject, .bold) + "\n")
    let lines = chapter.differences.map { words.summary($0) }
    for line in lines.prefix(Self.mostLines) { output.line("    " + line) }
    if lines.count > Self.mostLines {
      output.line("    and \(lines.count - Self.mostLines) more")
    }
  }
}
