import Foundation
import LarderJSON
import TestSupport
import Testing

@testable import LarderGit
@testable import LarderKit
@testable import LarderModel
@testable import LarderStore

/// An app shows `localizedDescription`; without a sentence, Foundation says that an operation
/// couldn't be completed.
@Suite("The sentence of every error")
struct WordedErrorTests {
  private static let gitError = GitError(.locked, action: "move the branch", detail: "", path: "l")
  private static let syntax = JSONMistake(
    kind: .loneSurrogate, position: TextPosition(line: 2, column: 3, offset: 9))
  private static let mistakes = FileMistakes([.syntax(syntax), .refusedEarlier])
  private static let missing = NamingError.notFound(
    Missing(words: "mlik", kind: .stockItem, near: ["Milk"], untaken: []))
  private static let litres = Quantity(Number(2), .liter)
  private static let id = ObjectID(hex: "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
  private static let commit = id.flatMap { id in
    Commit(lenient: Array("tree \(id)\n\nedit Milk\n".utf8), id: id)
  }

  private static let mistake = ListMistake(word: "is", value: "lo", reason: .notYesOrNo)

  static let libraries: [any Error] =
    [
      gitError, syntax, mistakes, StoreError.git(gitError), StoreError.untaken(path: "a", mistakes),
      EntityProblem(.namesNothing, []), PathFault.dots,
      RuleError.notEnough(item: "Milk", wanted: litres, available: litres),
      UndoError.nothing(.redo), UndoError.unknownRevision("x"), SyncError.noRemote,
      CloudError.offline(.unresolved(host: "h")),
      CloudError.server(status: 540, code: nil, retryAfter: nil),
      CloudProjectError.secretKey, CloudSyncError.notAMember(household: "h"),
      CredentialsError.noHome, TransportError.cancelled,
    ] + (commit.map { [RefusedCommit(commit: $0, faults: [])] } ?? [])

  static let kit: [any Error] = [
    missing, NamingError.untaken(mistakes, path: "stock/milk.json"),
    ActError.unknownAct(id: "a"),
    ActError.tooOld(at: Instant(milliseconds: 0)), ActError.unreadable(words: "2 2"),
    ActError.nameOfItem("Milk"), ActError.takenID("Milk"),
    ActError.otherHousehold(root: "/home/mira/home"), CloudUseError.ownMembership,
    CloudJoiningError(folder: "home", reason: CloudError.notSignedIn),
    ThingMistakes(of: [missing, missing]), DayMistake.noSuchMonth(13),
    TypedQuantity.Mistake.noNumber, TypedMoney.Mistake.noNumber, TypedLine.Mistake.noName,
    TypedThing.Mistake.amountAlone("2 l"), ReceiptForm.Reason.noShop,
    ReceiptForm.Mistake(number: 1, text: "x", reason: .longLine),
    ReceiptForm.Mistakes(all: []), ReceiptFileError.tookTooLong(program: "tesseract", seconds: 60),
    ReceiptBytes.Mistake.noText, ImportMistake(.empty), ImportMistakes(.empty),
    TodoMistake.noThing, DecodingMistake.spreadsheet, SheetMistake.Reason.noThing(amount: ""),
    SheetMistake(line: 1, column: 1, .box("y")),
    SheetMistakes(all: [SheetMistake(line: 1, column: 1, .box("y"))]),
    mistake, ListMistakes(all: [mistake, mistake]),
    ErrorWords(.failed, "it failed", "try again"),
  ]

  private static var all: [any Error] { libraries + kit + [doubt].compactMap(\.self) }

  /// That of a receipt without lines.
  private static var doubt: ReadingDoubt? {
    let calendar = HouseholdCalendar(timeZone: "UTC", now: Instant(milliseconds: 0))
    return ReadingDoubt(
      ReceiptTextReader(calendar).read(""), on: calendar.today, hasShop: false, hasDay: false)
  }

  @Test("it is what an app shows, and has no full stop")
  func sentences() {
    for error in Self.all {
      let sentence = error.localizedDescription
      #expect(sentence == ErrorWords(error).message)
      #expect(!sentence.contains("couldn’t be completed"), "\(error)")
      #expect(!sentence.contains("has no words yet"), "\(error)")
      #expect(!sentence.hasSuffix(".") && !sentence.isEmpty, "\(error)")
    }
  }

  @Test("every public error type of the libraries is here")
  func types() throws {
    let known = Set(Self.all.map { String(describing: type(of: $0)) })
    let declaration = /public (?:enum|struct) (\w+): [^{]*\bError\b/
    let sources = Checkout.root.appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    // The server's own errors have their words where they are.
    for case let file as URL in files
    where file.pathExtension == "swift" && !file.path().contains("/LarderServe/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      found.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    #expect(found.count > 30)
    #expect(found.subtracting(known).sorted() == [])
  }

  @Test("the words have the hints and the mistakes beside the sentence")
  func words() {
    let archived = ErrorWords(RuleError.itemIsArchived(item: "Oat milk"))
    #expect(archived.message == "Oat milk is archived")
    #expect(archived.hints == ["'larder stock restore \"Oat milk\"' brings it back"])
    let broken = ErrorWords(Self.mistakes)
    #expect(broken.kind == .invalidData)
    #expect(broken.problems.map(\.line) == [2, nil])
    #expect(ErrorWords(Self.missing).unknownNames == ["mlik"])
    let shallow = GitError(.notFound, action: "read a commit", detail: "")
    #expect(ErrorWords(shallow).message != ErrorWords(shallow, isShallow: true).message)
  }

  @Test("acts that can't be done say why")
  func acts() {
    #expect(
      ActError.tooOld(at: Instant(milliseconds: 0)).localizedDescription
        == "this is of 1970-01-01T00:00:00.000Z, more than 90 days ago, so it is not done now")
    #expect(
      ActError.nameOfItem("Milk").localizedDescription
        == "the entry is for the item Milk and has its name")
  }
}

extension ThingMistakes {
  fileprivate init(of errors: [any Error]) {
    self.init()
    for error in errors { _ = attempt("x") { throw error } }
  }
}
