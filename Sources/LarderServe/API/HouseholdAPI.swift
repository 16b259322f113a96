internal import Foundation
internal import LarderJSON
public import LarderKit
internal import LarderStore
internal import Synchronization

/// Answers the requests of phones about a household (docs/protocol.md).
public final class HouseholdAPI: Sendable {
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

  let household: String
  private let current: Mutex<Opened>
  let news = HouseholdNews()
  let reports = ReportLinks()

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
    case (.get, "api/1/item", let id):
      return try await item(id, for: request.phone, larder)
    case (.get, "api/1/receipt", let id): return try await receipt(id, larder)
    case (.get, "api/1", "back"): return try await back(larder)
    case (.post, "api/1", "sync"): return await sync(larder)
    case (.post, "api/1", "acts"): return try await acts(request, larder)
    case (.post, "api/1", "report"): return .json(["address": .string(reports.link())])
    case (.get, "report", let key): return try await report(key, larder)
    default: return .say("There is nothing here.", status: 404)
    }
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
    // What changed no file is news, too, as that nobody is asked any more where things lie.
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
        "because": ActRefusal(error)?.json(in: try? await larder.survey()),
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
