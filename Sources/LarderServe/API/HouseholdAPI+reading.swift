internal import Foundation
internal import LarderJSON
internal import LarderKit

/// The answers to requests that change nothing.
extension HouseholdAPI {
  /// The number of changes that an item's page has.
  private static let mostChanges = 20
  /// The number of older receipts in one answer.
  private static let mostReceipts = 100
  /// The longest time for which a request for news waits, and the one until it looks without having
  /// been told.
  private static let longestWait = Duration.seconds(25)
  private static let longestRest = Duration.seconds(4)

  /// Reads the household; throws if another one has taken its place.
  func reading(_ larder: Larder) async throws -> (reading: Reading, survey: Survey) {
    let (reading, survey) = try await larder.reading()
    let own = survey.household.own
    guard own == nil || own?.id == household else {
      throw ActError.otherHousehold(root: larder.root)
    }
    return (reading, survey)
  }

  /// The household with what a phone is told beside it.
  struct Look {
    let reading: Reading
    let survey: Survey
    /// Why nothing can be written.
    let trouble: String?
    /// Why the household does not sync.
    let notSynced: JSON?
    let syncs: [JSON]
    /// The receipts of which nobody is asked where their things lie.
    let settled: Set<String>

    /// Whether all is committed and well, so that the version says what there is.
    var isSettled: Bool {
      reading.edited.isEmpty && reading.plainCommits == 0 && trouble == nil
    }

    /// The name of the state.
    ///
    /// A sync that went well makes another state once an hour only.
    var tag: String {
      let hours = syncs.map { $0["last"]?.string?.prefix(13) ?? "" }
      var marks = settled.sorted() + hours.map(String.init)
      if let notSynced { marks.append("\(notSynced)") }
      let mark = Identifier.derived(fromName: marks.joined(separator: "/"))
      let end = marks.isEmpty ? "" : "-\(mark)"
      return "\"\(reading.version ?? "none")-\(survey.calendar.today)\(end)\""
    }
  }

  func look(_ larder: Larder) async throws -> Look {
    let (reading, survey) = try await reading(larder)
    let standings = await standings(larder)
    return Look(
      reading: reading, survey: survey, trouble: await trouble(larder),
      notSynced: notSynced(standings, at: survey.calendar.now), syncs: syncs(standings),
      settled: try await larder.settledReceipts())
  }

  func state(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    let look = try await look(larder)
    let tag = look.tag
    if look.isSettled, request.ifNoneMatch == tag { return WebResponse(304, [.init("ETag", tag)]) }
    var told = HouseholdState.Told(version: look.reading.version, phone: request.phone)
    (told.trouble, told.notSynced, told.syncs) = (look.trouble, look.notSynced, look.syncs)
    told.settled = look.settled
    var response = WebResponse.json(HouseholdState(look.survey).json(told))
    if look.isSettled { response.headers.append(.init("ETag", tag)) }
    return response
  }

  /// Returns why nothing can be written; nil if nothing is known to stand in the way.
  func trouble(_ larder: Larder) async -> String? {
    do {
      try await larder.checkWritable()
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  /// Waits until there is another state than the one that the client has.
  func news(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
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

  func item(
    _ id: String, for phone: String, _ larder: Larder
  ) async throws -> WebResponse {
    let survey = try await reading(larder).survey
    guard let item = try await larder.entity(.stockItem, id: id.lowercased()) else {
      return .say("the household has no such item", status: 404)
    }
    let keys = [item.key] + survey.stock.batches(of: item).map(\.key)
    let changes = try await larder.history(
      into: [ItemChange](), of: Set(keys), in: survey.household
    ) { changes, entry in
      if let change = ItemChange(entry, of: item) { changes.append(change) }
      return changes.count < Self.mostChanges
    }.value
    return .json(HouseholdState(survey).details(of: item, changes, for: phone))
  }

  func back(_ larder: Larder) async throws -> WebResponse {
    let survey = try await reading(larder).survey
    return .json(HouseholdState(survey).back(try await larder.broughtBack(in: survey)))
  }

  func receipt(_ id: String, _ larder: Larder) async throws -> WebResponse {
    let survey = try await reading(larder).survey
    guard let receipt = try await larder.entity(.receipt, id: id.lowercased()) else {
      return .say("the household has no such receipt", status: 404)
    }
    return .json(["receipt": HouseholdState(survey).receipt(receipt)])
  }

  func receipts(_ request: WebRequest, _ larder: Larder) async throws -> WebResponse {
    guard let text = request[parameter: "before"], let end = Instant(text) else {
      throw RequestMistake(at: "before", say: "before: a time is needed")
    }
    let state = HouseholdState(try await reading(larder).survey)
    return .json(["receipts": .array(state.receipts(before: end, most: Self.mostReceipts))])
  }

  func report(_ key: String, _ larder: Larder) async throws -> WebResponse {
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
