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
      the quantity before and after; of merges, what lost in them. A thing's story goes back over its \
      renames.
      """,
    group: "History",
    examples: [
      Example("larder log"), Example("larder log 'oat milk'", "who used the last one?"),
      Example("larder log HEAD~10 --limit 5"),
    ],
    arguments: [reference], options: [limit]
  ) { invocation in
    let limit = try invocation.most(limit) ?? 30
    try invocation.withStore { store in
      let household = try store.read().household
      guard let repository = store.repository else {
        throw StoreError.notARepository(root: store.root)
      }
      let start = try beginning(invocation.given(reference), repository, household)
      let words = DifferenceWords(before: household, after: household)
      let telling = Telling(words: words, output: invocation.output)
      let book = ChapterReader(
        differences: CommitDifferences(repository), losses: try store.mergeLosses(),
        household: household, words: words.words, keys: start.keys)
      let isCut = try chapters(book, repository, start.commit, limit) { telling.tell($0) }
      telling.finish()
      if isCut { invocation.output.note("older commits are left out; --limit 0 shows all") }
    }
  }

  /// Where to begin, and what to look for; all where that is nil.
  private struct Start {
    var commit: ObjectID?
    var keys: Set<EntityKey>?
  }

  private static func beginning(
    _ reference: String?, _ repository: Repository, _ household: Household
  ) throws -> Start {
    let head = try repository.head().commit
    guard let reference else { return Start(commit: head) }
    let subject = LogSubject(household)
    if let keys = subject.exactly(reference) { return Start(commit: head, keys: keys) }
    if let commit = try repository.resolve(reference) { return Start(commit: commit) }
    return Start(commit: head, keys: try subject.like(reference))
  }

  /// Hands over chapters until there are enough; tells whether there would be more.
  private static func chapters(
    _ reader: ChapterReader, _ repository: Repository, _ first: ObjectID?, _ limit: Int,
    _ tell: (Chapter) -> Void
  ) throws -> Bool {
    guard let first else { return false }
    var reader = reader
    var told = 0
    var isCut = false
    try repository.history(from: first) { (commit) throws(GitError) in
      guard let chapter = try reader.chapter(of: commit) else { return true }
      if told == limit {
        isCut = true
        return false
      }
      told += 1
      tell(chapter)
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
    let lines = chapter.lines(words)
    for line in lines.prefix(Self.mostLines) { output.line("    " + line) }
    if lines.count > Self.mostLines {
      output.line("    and \(lines.count - Self.mostLines) more")
    }
  }
}
