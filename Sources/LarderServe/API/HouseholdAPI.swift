internal import Foundation
internal import LarderJSON
public import LarderKit
internal import LarderStore
internal import Synchronization

/// Answers the requests of phones about a household (docs/protocol.md).
public final class HouseholdAPI: Sendable {
  /// The number of changes that an item's page has.
  private static let mostChanges = 20
  /// The number of older receipts in one answer.
  private static let mostReceipts = 100
  /// How long a trouble that passes by itself is not worth a word, in milliseconds.
  private static let patience: Int64 = 15 * 60_000

  /// The longest time for which a request for news waits, and the one until it looks without having
  /// been told.
  private static let longestWait = Duration.seconds(25)
  private static let longestRest = Duration.seconds(4)

  /// The larder that answers, and the folder that it has opened.
  private struct Opened {
    let larder: Larder
    let folder: FolderIdentity

    init(_ larder: Larder) {
      folder = FolderIdentity(of: larder.root)
      self.larder = larder
    }

    var isReplaced: Bool { folder != FolderIdentity(of: larder.root) }
  }

  private let household: String
  private let current: Mutex<Opened>
  private let news = HouseholdNews()
  private let reports = ReportLinks()

  /// Answers about the household that a larder has now, and about no other one that takes its place.
  public init(_ larder: Larder) async throws {
    guard let own = try await larder.read().household.own else {
      throw StoreError.notAHousehold(directory: larder.root)
    }
    household = own.id
    current = Mutex(Opened(larder))
    news.listen(to: larder)
  }

  /// Answers a request of a phone, or for a report that a phone asked for.
  ///
  /// Throws ``RequestMistake``. What can't be read or written now is answered with 503, and the phone
  /// keeps its acts.
  public func answer(_ request: WebRequest) async throws -> WebResponse {
    let opened = current.withLock(\.self)
    do {
      if opened.isReplaced {
        throw StoreError.notAHousehold(directory: opened.larder.root)
      }
      return try await answer(request, opened.larder)
    } catch let mistake as RequestMistake {
      throw mistake
    } catch {
      return try await answerAnew(request, after: error, opened.larder)
    }
  }

  /// Lets no request wait for news, because the server is about to end.
  @Sendable public func hurry() { news.hurry() }

  /// Answers with a larder that remembers nothing, as the files may be those of a backup.
  ///
  /// An act that was done is done once all the same.
  private func answerAnew(
    _ request: WebRequest, after error: any Error, _ larder: Larder
  ) async throws -> WebResponse {
    do {
      if case StoreError.locked = error { throw error }
      let fresh = try await Larder.open(from: larder.root, larder.context)
      guard fresh.root == larder.root else { throw error }
      current.withLock { $0 = Opened(fresh) }
      news.listen(to: fresh)
      return try await answer(request, fresh)
    } catch let mistake as RequestMistake {
      throw mistake
    } catch {
      return .say(error.localizedDescription, status: 503)
    }
  }

  private func answer(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.dropLast().joined(separator: "/"), parts.last ?? "") {
    case (.get, "api/1", "state"): return try await state(request, larder)
    case (.get, "api/1", "news"): return try await news(request, larder)
    case (.get, "api/1", "receipts"): return try await receipts(request, larder)
    case (.get, "api/1/item", let id): return try await item(id, larder)
    case (.get, "api/1/receipt", let id): return try await receipt(id, larder)
    case (.post, "api/1", "acts"): return try await acts(request, larder)
    case (.post, "api/1", "report"): return .json(["address": .string(reports.link())])
    case (.get, "report", let key): return try await report(key, larder)
    default: return .say("There is nothing here.", status: 404)
    }
  }

  /// Reads the household; throws if another one has taken its place.
  private func reading(_ larder: Larder) async throws -> (reading: Reading, survey: Survey) {
    let (reading, survey) = try await larder.reading()
    let own = survey.household.own
    guard own == nil || own?.id == household else {
      throw ActError.otherHousehold(root: larder.root)
    }
    return (reading, survey)
  }

  /// The household with what a phone is told beside it.
  private struct Look {
    let reading: Reading
    let survey: Survey
    /// Why nothing can be written.
    let trouble: String?
    /// Why the household does not sync.
    let notSynced: JSON?

    /// Whether all is committed and well, so that the version says what there is.
    var isSettled: Bool {
      reading.edited.isEmpty && reading.plainCommits == 0 && trouble == nil
    }

    /// The name of the state.
    var tag: String {
      let mark = notSynced.map { "-" + Identifier.derived(from: "not-synced", "\($0)") } ?? ""
      return "\"\(reading.version ?? "none")-\(survey.calendar.today)\(mark)\""
    }
  }

  private func look(_ larder: Larder) async throws -> Look {
    let (reading, survey) = try await reading(larder)
    return Look(
      reading: reading, survey: survey, trouble: await trouble(larder),
      notSynced: await notSynced(at: survey.calendar.now, larder))
  }

  private func state(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    let look = try await look(larder)
    let tag = look.tag
    if look.isSettled, request.ifNoneMatch == tag { return WebResponse(304, [.init("ETag", tag)]) }
    let state = HouseholdState(look.survey)
    var response = WebResponse.json(
      state.json(
        version: look.reading.version, phone: request.phone, trouble: look.trouble,
        notSynced: look.notSynced))
    if look.isSettled { response.headers.append(.init("ETag", tag)) }
    return response
  }

  /// Returns why nothing can be written; nil if nothing is known to stand in the way.
  private func trouble(_ larder: Larder) async -> String? {
    do {
      try await larder.checkWritable()
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  /// Waits until there is another state than the one that the client has.
  private func news(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    let end = ContinuousClock.now + Self.longestWait
    while true {
      let count = news.count
      let look = try await look(larder)
      guard look.isSettled, request.ifNoneMatch == look.tag else { return .json([:]) }
      let rest = min(Self.longestRest, end - .now)
      switch await news.wait(by: request.phone, after: count, atMost: rest) {
      case .news: continue
      case .nothing where .now < end: continue
      case .nothing, .ending: return WebResponse(304, [.init("ETag", look.tag)])
      case .tooMany:
        return .say("Too many pages of this phone wait for news; this one asks again.", status: 429)
      }
    }
  }

  /// Returns why the household does not sync with other devices, and since when; nil if it does.
  ///
  /// A network that is gone for some minutes is nothing to tell.
  private func notSynced(at now: Instant, _ larder: Larder) async -> JSON? {
    let failing: [SyncStanding]
    do {
      failing = try await larder.syncStandings().filter { standing in
        standing.failure.map { failure in
          let began = failure.began ?? now
          return !failure.isPassing || now.milliseconds - began.milliseconds > Self.patience
        } ?? false
      }
    } catch {
      // Whoever syncs hears of it.
      return nil
    }
    guard !failing.isEmpty else { return nil }
    return [
      "since": failing.compactMap(\.lastSync).min().map { .string($0.description) },
      "say": .string(failing.compactMap(\.failure?.reason).joined(separator: "; ")),
    ]
  }

  private func item(_ id: String, _ larder: Larder) async throws -> WebResponse {
    let survey = try await reading(larder).survey
    guard let item = try await larder.entity(.stockItem, id: id.lowercased()) else {
      return .say("the household has no such item", status: 404)
    }
    let keys = [item.key] + survey.stock.batches(of: item).map(\.key)
    let history = try await larder.history(
      into: [HistoryEntry](), of: Set(keys), in: survey.household, most: Self.mostChanges
    ) { entries, entry in
      entries.append(entry)
      return true
    }.value
    let changes = history.map { entry -> JSON in
      [
        "at": .string(entry.commit.at.description), "by": .string(entry.commit.author.name),
        "say": .string(entry.commit.subject),
      ]
    }
    return .json(HouseholdState(survey).details(of: item, changes: changes))
  }

  private func receipt(_ id: String, _ larder: Larder) async throws -> WebResponse {
    let survey = try await reading(larder).survey
    guard let receipt = try await larder.entity(.receipt, id: id.lowercased()) else {
      return .say("the household has no such receipt", status: 404)
    }
    return .json(["receipt": HouseholdState(survey).receipt(receipt)])
  }

  private func receipts(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    guard let text = request[parameter: "before"], let end = Instant(text) else {
      throw RequestMistake(at: "before", say: "before: a time is needed")
    }
    let state = HouseholdState(try await reading(larder).survey)
    return .json(["receipts": .array(state.receipts(before: end, most: Self.mostReceipts))])
  }

  private func report(_ key: String, _ larder: Larder) async throws -> WebResponse {
    guard reports.take(key) else {
      return .say("this link has been used, or its minute is over", status: 404)
    }
    let survey = try await reading(larder).survey
    let page = HouseholdReport(survey).page
    return WebResponse(
      200,
      [
        .init("Content-Type", "text/html; charset=utf-8"),
        .init(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"),
      ], body: Array(page.utf8))
  }
}

// MARK: - Acts

extension HouseholdAPI {
  private func acts(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    let body = try request.json()
    if let other = try JSONReader(body).id("household"), other != household.lowercased() {
      return .say(
        "This was done in another household than the one that is here now, so nothing of it is done.",
        status: 409)
    }
    let acts = try ActReader.acts(body, by: request.phone, of: household)
    var answers: [JSON] = []
    for act in acts {
      do {
        answers.append(try await answer(act, larder))
      } catch {
        // What can't be written now is not answered, and the phone sends it again.
        if answers.isEmpty { throw error }
        break
      }
    }
    news.tell()
    let (reading, survey) = try await reading(larder)
    return .json([
      "version": reading.version.map { .string($0) },
      "now": .string(survey.calendar.now.description), "answers": .array(answers),
    ])
  }

  private func answer(_ act: Act, _ larder: Larder) async throws -> JSON {
    let answer: ActAnswer
    do {
      answer = try await larder.perform(act)
    } catch  where error.isRefusal {
      return [
        "id": .string(act.id), "answer": .string("refused"),
        "say": .string(error.localizedDescription),
      ]
    }
    let (word, say): (String, String?) =
      switch answer.result {
      case .done: ("done", nil)
      case .repeated: ("repeated", nil)
      case .overtaken(let values):
        ("overtaken", values.map { $0.sentence(in: answer.survey) }.joined(separator: "; "))
      }
    return [
      "id": .string(act.id), "answer": .string(word), "say": say.map { .string($0) },
      "made": answer.made.map { .string($0.id) },
    ]
  }
}

extension Error {
  /// Whether a rule refuses what was asked, now and until somebody changes something; all other
  /// errors pass, or are about the whole household.
  fileprivate var isRefusal: Bool {
    if let error = self as? StoreError {
      return switch error {
      case .badValues, .endOfTime: true
      case .untaken(let path, _): path != Kind.householdPath
      default: false
      }
    }
    if case .otherHousehold? = self as? ActError { return false }
    return switch self {
    case is RuleError, is NamingError, is UndoError, is ActError, is ThingMistakes: true
    default: false
    }
  }
}

/// Links to the report, each for one look within a minute: a page that is opened beside the app can't
/// send the phone's token.
private final class ReportLinks: Sendable {
  private let keys = Mutex<[String: ContinuousClock.Instant]>([:])

  func link() -> String {
    let key = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
    keys.withLock { keys in
      keys = keys.filter { $0.value > .now }
      keys[key] = .now + .seconds(60)
    }
    return "/report/\(key)"
  }

  func take(_ key: String) -> Bool {
    keys.withLock { keys in keys.removeValue(forKey: key).map { $0 > .now } ?? false }
  }
}
