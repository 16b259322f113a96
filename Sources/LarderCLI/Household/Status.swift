import LarderKit

/// `larder status`: pending changes and problems.
enum StatusCommand {
  static let command = Command(
    "status", group: "Household", records: [Column.named.form()], run: run)

  static func run(_ invocation: Invocation) async throws {
    try await invocation.withLarder { larder in
      let status = try await larder.status()
      switch invocation.output.mode {
      case .json: invocation.output.json(status.json)
      case .plain: invocation.output.records(status.rows)
      case .human: show(status, invocation.output)
      }
    }
  }

  static func show(_ status: HouseholdStatus, _ output: Output) {
    output.write(output.paint(status.name, .bold) + "  " + output.paint(status.root, .dim) + "\n")
    for line in status.lines { output.line(line) }
    showMistakes(of: status, output)
    for hint in status.hints { output.hint(hint) }
  }

  private static func showMistakes(of status: HouseholdStatus, _ output: Output) {
    guard !status.untaken.isEmpty else { return }
    output.line(status.leftFiles + ":")
    let mistakes = status.mistakes
    for problem in mistakes.prefix(mostMistakes) { output.finding(problem) }
    let rest = mistakes.count - mostMistakes
    if rest > 0 { output.line("and \(counted(rest, "more mistake")): 'larder check'") }
  }

  private static let mostMistakes = 5
}

extension HouseholdStatus {
  var name: String { household.own?.title ?? "the household" }

  private var time: LocalTime { LocalTime(of: household) }

  /// The values that lost, such as `Milk (name)`.
  private var lostTexts: [String] { LossWords.all(lost, in: household).map(\.shortText) }

  /// The lines below the household's name.
  var lines: [String] {
    var lines: [String] = []
    if isReadOnly { lines.append("read only: this folder is not the root of a git repository") }
    if let upstream {
      let asOf = lastFetch.map { ", as of \(time.text(of: $0))" } ?? ""
      lines.append(upstream.sentence + asOf)
    }
    if let looseHead {
      lines.append(looseHead.sentence)
    } else if upstream == nil, cloud == nil, !isReadOnly {
      lines.append(
        remotes.isEmpty
          ? "not synced with any remote yet"
          : "the branch follows none of the remotes \(remotes.joined(separator: ", "))")
    }
    if let line = cloud.flatMap({ cloudLine($0) }) { lines.append(line) }
    lines += syncs.compactMap { $0.sentence(time) }
    if let operation {
      lines.append(
        MessageWords().errorWords(for: StoreError.operationInProgress(operation)).message)
    }
    lines += filters.map(\.sentence)
    if !ownEdits.isEmpty {
      lines.append("edited by hand, not adopted yet:")
      lines += ownEdits.prefix(10).map { "  \($0)" }
      if ownEdits.count > 10 { lines.append("  and \(ownEdits.count - 10) more") }
    }
    if plainCommits > 0 {
      lines.append("\(counted(plainCommits, "commit")) of plain git, not adopted yet")
    }
    if !lostTexts.isEmpty { lines.append(LossWords.sentence(lostTexts, in: "the last merge")) }
    lines += kept.prefix(10).map(\.sentence)
    if kept.count > 10 { lines.append("and \(kept.count - 10) more files have another version") }
    lines += stockLines
    lines += setUp.map(\.complaint.message)
    return lines
  }

  /// The edited files without the copies that a sync of folders left, which nobody wrote.
  private var ownEdits: [FilePath] {
    edited.filter { !(household.untaken[$0]?.isSyncCopy ?? false) }
  }

  /// How many files are broken or refused.
  var leftFiles: String { MessageWords.count(ofLeft: Set(untaken), in: household) }

  /// The mistakes of broken and refused files.
  var mistakes: [Problem] {
    let words = MessageWords(root: root)
    return untaken.flatMap { path in
      household.untaken[path].map { words.problems($0, path: path.text, severity: .error) } ?? []
    }
  }

  /// Returns the line about the cloud; unadopted edits are not yet pending.
  ///
  /// Nothing is complete while it can't be reached, which has a line of its own.
  private func cloudLine(_ cloud: CloudState) -> String? {
    let left = cloud.left.isEmpty ? nil : "\(counted(cloud.left.count, "row")) left there"
    guard let sync = syncs.first(where: { $0.target == .cloud }), sync.isOn else {
      return "this clone leaves its project alone, as localOnly is yes"
    }
    let whole =
      "the cloud has everything" + (edited.isEmpty ? "" : " except what was edited by hand")
    let parts = [cloud.sentence ?? (sync.failure == nil ? whole : nil), left].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var stockLines: [String] {
    let parts = [
      stock.usedUp > 0 ? "\(counted(stock.usedUp, "item")) used up" : nil,
      stock.low > 0 ? "\(counted(stock.low, "item")) low" : nil,
    ].compactMap { $0 }
    let batches = [
      stock.expired > 0 ? "\(counted(stock.expired, "batch", "batches")) expired" : nil,
      stock.pastBest > 0
        ? "\(counted(stock.pastBest, "batch", "batches")) past \(stock.pastBest == 1 ? "its" : "their") best"
        : nil,
      stock.due.lots > 0
        ? "\(counted(stock.due.lots, "batch expires", "batches expire")) within \(counted(stock.due.days, "day"))"
        : nil,
    ].compactMap { $0 }
    let named = [
      ("below zero, as when two people use the last one", stock.belowZero),
      ("archived, but changed later on another device", stock.leftBehind),
    ]
    return [parts, batches].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
      + named.filter { !$0.1.isEmpty }.map { text, names in "\(text): \(listed(names))" }
  }

  private func listed(_ names: [String]) -> String {
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.prefix(5).joined(separator: ", ") + more
  }

  /// The next steps.
  var hints: [String] {
    var hints: [String] = []
    if !setUp.isEmpty { hints.append("run 'larder doctor --fix' to set this device up") }
    if let operation {
      hints += MessageWords().errorWords(for: StoreError.operationInProgress(operation)).hints
    } else if let looseHead {
      hints += looseHead.ways
    } else if let fault = filters.first {
      hints += fault.ways
    } else if !ownEdits.isEmpty {
      hints.append("'larder diff' shows the edits in words; any command that writes adopts them")
    } else if plainCommits > 0 {
      hints.append("'larder log' tells what they did; any command that writes adopts them")
    }
    if !stock.belowZero.isEmpty {
      hints.append("'larder stock count ITEM N' says what is really there")
    }
    if !stock.leftBehind.isEmpty {
      hints.append(
        "'larder stock restore ITEM' brings it back; 'larder stock merge OTHER ITEM' takes it into another"
      )
    }
    if stock.expired > 0 { hints.append("'larder stock expired' lists what has expired") }
    if !lostTexts.isEmpty { hints.append(LossWords.hint) }
    if !kept.isEmpty { hints.append(KeptVersion.hint) }
    hints += MessageWords.hints(ofCopiesIn: household)
    if let cloud, cloud.count(.failed) + cloud.count(.parked) > 0 {
      hints.append("'larder cloud status' says what the project refused, and why")
    }
    if let cloud, !cloud.left.isEmpty {
      hints.append("'larder cloud status' names what was left in the cloud")
    }
    let isOn = syncs.contains { $0.target == .cloud && $0.isOn }
    let waits = isOn && cloud.map { $0.count(.pending) > 0 } ?? false
    let isApart = upstream.map { $0.ahead != 0 || $0.behind != 0 } ?? false
    let failing = syncs.filter { $0.failure != nil }
    if operation == nil, looseHead == nil, waits || isApart || !failing.isEmpty {
      hints.append(
        failing.isEmpty
          ? "'larder sync' brings both sides together"
          : "'larder sync' tries again, and says what to do")
    }
    return hints
  }

  /// The status as records of a name and a value.
  var rows: [NamedText] {
    var rows = known([
      ("name", name), ("root", root), ("branch", looseHead == nil ? branch : ""),
      ("commit", commit?.hex), ("upstream", upstream?.name),
      ("ahead", upstream?.ahead.map(String.init)), ("behind", upstream?.behind.map(String.init)),
      ("lastFetch", lastFetch?.description),
    ])
    for sync in syncs {
      rows += known([
        ("sync.\(sync.target.rawValue).lastSync", sync.lastSync?.description),
        ("sync.\(sync.target.rawValue).failure", sync.failure?.reason),
      ])
    }
    for (kind, counts) in cloud?.kinds ?? [] {
      for (standing, count) in zip(CloudState.Standing.allCases, counts) where count > 0 {
        rows.append(("cloud.\(standing.rawValue).\(kind.rawValue)", String(count)))
      }
    }
    if let cloud, !cloud.left.isEmpty { rows.append(("cloud.left", String(cloud.left.count))) }
    rows += edited.map { ("edited", $0.text) }
    rows.append(("plainCommits", String(plainCommits)))
    rows += untaken.map { ("unreadable", $0.text) }
    rows += lostTexts.map { ("lost", $0) }
    rows += kept.map { ("conflict", $0.path.text) }
    rows += stock.leftBehind.map { ("leftBehind", $0) }
    rows += [("low", String(stock.low)), ("usedUp", String(stock.usedUp))]
    rows += [("expired", String(stock.expired)), ("pastBest", String(stock.pastBest))]
    rows.append(("due", String(stock.due.lots)))
    return rows + setUp.map { ("setUp", $0.complaint.message) }
  }

  /// The members of the JSON output.
  var json: JSON {
    let head: JSON = [
      "name": .string(name), "root": .string(root), "isReadOnly": .bool(isReadOnly),
      "branch": looseHead == nil ? branch.map { .string($0) } : .null,
      "commit": commit.map { .string($0.hex) }, "upstream": upstream?.json, "cloud": cloud?.json,
      "lastFetch": lastFetch.map { .string($0.description) },
      "syncs": .array(syncs.map(\.json)),
      "operation": operation.map { .string($0.rawValue) },
    ]
    let numbers: JSON = [
      "low": .number(stock.low), "usedUp": .number(stock.usedUp),
      "expired": .number(stock.expired), "pastBest": .number(stock.pastBest),
      "due": .number(stock.due.lots), "setUp": .texts(setUp.map(\.complaint.message)),
    ]
    return head + [
      "edited": .texts(edited.map(\.text)), "plainCommits": .number(plainCommits),
      "unreadable": .texts(untaken.map(\.text)), "lost": .texts(lostTexts),
      "conflicts": .array(kept.map(\.json)), "belowZero": .texts(stock.belowZero),
      "leftBehind": .texts(stock.leftBehind),
    ] + numbers
  }
}

extension SyncStanding {
  /// What keeps the household from syncing, in one line; nil if nothing does.
  func sentence(_ time: LocalTime) -> String? {
    failure.map { failure in
      let place = target == .git ? "the remote" : "the project"
      let since = lastSync.map { "not synced with \(place) since \(time.text(of: $0))" }
      return "\(since ?? "never synced with \(place)"): \(failure.reason)"
    }
  }

  fileprivate var json: JSON {
    [
      "with": .string(target.rawValue), "isOn": .bool(isOn),
      "lastSync": lastSync.map { .string($0.description) },
      "failure": failure.map { .string($0.reason) },
      "failedSince": failure?.began.map { .string($0.description) },
    ]
  }
}

extension UpstreamStatus {
  fileprivate var sentence: String {
    guard let ahead, let behind else { return "nothing is known of \(name) yet" }
    switch (ahead, behind) {
    case (0, 0): return "up to date with \(name)"
    case (_, 0): return "\(counted(ahead, "commit")) ahead of \(name)"
    case (0, _): return "\(counted(behind, "commit")) behind \(name)"
    default: return "\(counted(ahead, "commit")) ahead of \(name), \(behind) behind"
    }
  }

  fileprivate var json: JSON {
    [
      "name": .string(name), "ahead": ahead.map { .number($0) } ?? .null,
      "behind": behind.map { .number($0) } ?? .null,
    ]
  }
}

/// `larder` without a command: in a household, it shows what needs attention today.
enum Overview {
  private static let mostUrgent = 5
  private static let mostToBuy = 10

  static func show(_ invocation: Invocation) async throws {
    let output = invocation.output
    guard try await isInHousehold(invocation) else {
      return output.help(Command.Node(path: invocation.path, command: invocation.root))
    }
    guard output.mode == .human else { return try await StatusCommand.run(invocation) }
    try await invocation.withLarder { larder in
      let status = try await larder.status()
      StatusCommand.show(status, output)
      let survey = try larder.survey()
      let (expired, urgent) = urgent(survey)
      list(
        PassedDay.expired.heading, expired, most: mostUrgent, more: "larder stock expired", output)
      list("use first", urgent, most: mostUrgent, more: "larder due", output)
      list("to buy", toBuy(survey), most: mostToBuy, more: "larder shop", output)
      if survey.items.isEmpty, survey.shoppingList.isEmpty, status.untaken.isEmpty {
        output.hint(
          "'larder put eggs 10 coffee 250g --new' records what there is, 'larder buy bread' what to buy"
        )
      }
    }
  }

  private static func isInHousehold(_ invocation: Invocation) async throws -> Bool {
    do {
      _ = try await invocation.open()
      return true
    } catch StoreError.notAHousehold {
      return false
    }
  }

  /// Returns lines about lots that have expired, and about those that are past their best or expire
  /// soon, the earliest first.
  private static func urgent(_ survey: Survey) -> (expired: [String], urgent: [String]) {
    let today = survey.calendar.today
    let days = survey.household.own?.expiringWithinDays ?? 14
    let stock = survey.stock
    let lines = { Lot.grouped($0).map(survey.line) }
    return (
      lines(stock.expired(on: today)),
      lines(stock.pastBest(on: today) + stock.due(from: today, days: days))
    )
  }

  private static func toBuy(_ survey: Survey) -> [String] {
    survey.shoppingList.filter { !$0.entity.isCompleted }.map { entry in
      "\(survey.title(of: entry)): \(entry.entity.desired)"
    }
  }

  /// Prints lines below a title, if there are any.
  private static func list(
    _ title: String, _ lines: [String], most: Int, more: String, _ output: Output
  ) {
    guard !lines.isEmpty else { return }
    output.write("\n" + output.paint(title, .bold) + "\n")
    for line in lines.prefix(most) { output.line("  " + line) }
    if lines.count > most { output.line("  and \(lines.count - most) more: '\(more)'") }
  }
}
