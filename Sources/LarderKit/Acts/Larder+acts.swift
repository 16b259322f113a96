internal import LarderGit
public import LarderModel
public import LarderStore

extension Larder {
  /// Does what somebody did on another device, in one commit by that device.
  ///
  /// An act whose id is in the history changes nothing. Throws `RuleError`, ``NamingError`` and
  /// `UndoError` if a rule refuses it, and ``ActError``.
  public func perform(_ act: Act) throws -> ActAnswer {
    let answer = try answer(to: act)
    if case .correct(let id, let correction) = act.deed, correction.isPutAway,
      let receipt = try entity(.receipt, id: id)
    {
      try settlePutAway(receipt: receipt.id)
    }
    return answer
  }

  private func answer(to act: Act) throws -> ActAnswer {
    let now = context.now()
    guard now.milliseconds - act.at.milliseconds <= Act.longestWait else {
      throw ActError.tooOld(at: act.at)
    }
    if case .undo(let earlier) = act.deed { return try takeBack(earlier, act) }
    let (moment, act) = (act.at, try joiningCorrected(act))
    do {
      var made: EntityKey?
      let writing = try store.commit(as: "serve", from: act.origin, adopted: tell) {
        (edit, writer) throws(any Error) in
        if let commit = try store.commit(serving: act.id) { throw Repeated(commit: commit) }
        try act.check(in: edit, at: root)
        let survey = Survey(edit.before, now: writer.now)
        var change = Change(edit, writer, survey, "", at: self.survey)
        let doing = Doing(
          act: act, moment: moment,
          made: { [self] id, kind in try entity(madeBy: id, kind) })
        made = try doing.run(&change)
        try survey.refuseTakenNames(in: change.edit)
        edit = change.edit
        return (change.subject, edit.changed)
      }.get()
      heard(writing.writing)
      return try answer(writing.writing, own: writing.value, made: made)
    } catch let error as Repeated {
      return try repeated(act, error.commit)
    } catch let error as BasketIsSaved {
      throw ActError.basketIsSaved(try saving(of: error.receipt))
    }
  }

  /// Returns a purchase of a basket that somebody saved after it, and corrected since, as one that
  /// adds to that receipt: a correction writes all lines anew.
  private func joiningCorrected(_ act: Act) throws -> Act {
    guard case .bought(var bought) = act.deed, bought.joins == nil else { return act }
    let household = try read().household
    let entries = bought.entries.compactMap { household[.shoppingListEntry, $0] }
    guard let filled = entries.map(\.tickedAt).max(), entries.count == bought.entries.count,
      let receipt = entries.first.flatMap({ household.receipt(of: $0) }),
      receipt.createdAt > act.at, receipt.register(.items).map({ $0.stamp > filled }) ?? false
    else { return act }
    var joining = act
    bought.joins = receipt.id
    joining.deed = .bought(bought)
    joining.at = context.now()
    return joining
  }

  /// The commit that did an act before.
  private struct Repeated: Error {
    let commit: Commit
  }

  private func takeBack(_ earlier: String, _ act: Act) throws -> ActAnswer {
    if let commit = try store.commit(serving: act.id) { return try repeated(act, commit) }
    guard let done = try store.commit(serving: earlier) else {
      throw ActError.unknownAct(id: earlier)
    }
    let undoing = try store.undo(done.id.hex, from: act.origin, adopted: tell)
    heard(undoing.writing)
    let survey = Survey(undoing.writing.household, now: context.now())
    return ActAnswer(result: .done, made: nil, survey: survey)
  }

  private func repeated(_ act: Act, _ commit: Commit) throws -> ActAnswer {
    let made = try act.deed.makes.flatMap { try entity(madeBy: act.id, $0) }
    return ActAnswer(result: .repeated, made: made?.key, survey: try survey())
  }

  private func answer(
    _ writing: Writing, own: [EntityKey], made: EntityKey?
  ) throws -> ActAnswer {
    let survey = Survey(writing.household, now: context.now())
    let later = writing.overtaken.filter { own.contains($0.key) }
    guard !later.isEmpty else { return ActAnswer(result: .done, made: made, survey: survey) }
    let commits = try store.commits(overtaking: later)
    let values = zip(later, commits).compactMap { later, commit -> LaterValue? in
      guard let entity = survey.household[later.key], let name = later.names.first else {
        return nil
      }
      return LaterValue(
        title: survey.naming.title(of: entity), key: later.key, name: name, value: entity[name],
        at: later.at, writer: commit.map { $0.author.name })
    }
    return ActAnswer(result: .overtaken(values), made: made, survey: survey)
  }

  /// Returns what an earlier act made; nil if no act of the history has the id, or it made nothing of
  /// this kind.
  private func entity(madeBy id: String, _ kind: Kind) throws -> Entity? {
    guard let commit = try store.commit(serving: id) else { return nil }
    let changes = try store.differences(of: commit).filter { $0.key.kind == kind }
    // A part that was moved may have come to a batch that was there.
    let made =
      changes.first { $0.isNew || $0.isRestored } ?? changes.first(where: \.hasGrown)
      ?? changes.first
    return made?.after
  }
}

extension Larder {
  /// Reads the household, and prepares it for looking things up.
  public func reading() throws -> (reading: Reading, survey: Survey) {
    let reading = try read()
    return (reading, Survey(reading.household, now: context.now()))
  }

  /// Returns the entity with an id, or the one that the act with this id made; nil if there is none.
  public func entity(_ kind: Kind, id: String) throws -> Entity? {
    let household = try read().household
    if let entity = household[kind, id] { return entity }
    return try entity(madeBy: id, kind).flatMap { household[$0.key] }
  }

  /// Throws what stands in the way of a change, as far as it is known before one is tried.
  public func checkWritable() throws { try store.checkWritable() }
}

extension Act {
  /// Throws if the act is of another household, would take the place of something that is there, or
  /// names a location that is not.
  fileprivate func check(in edit: Edit, at root: String) throws {
    if let household, edit.before.own?.id != household {
      throw ActError.otherHousehold(root: root)
    }
    let taken = Kind.allCases.lazy.compactMap { edit.before[$0, id] }.first
    if let taken { throw ActError.takenID(edit.title(of: taken)) }
    for location in deed.locations { try edit.checkPlace(location) }
  }
}

extension Deed {
  /// The ids of the locations that it writes.
  fileprivate var locations: [String] {
    switch self {
    case .put(_, _, let location, _), .date(_, _, _, let location):
      [location ?? nil].compactMap(\.self)
    case .move(_, let location, _, _): [location]
    case .edit(_, _, let fields), .new(let fields, _, _): Self.locations(in: fields)
    case .bought(let bought): bought.lines.compactMap(\.location)
    case .correct(_, let correction):
      correction.lines.flatMap { Self.locations(in: $0.fields) }
        + [correction.added?.location].compactMap(\.self)
    default: []
    }
  }

  private static func locations(in fields: [FieldValue]) -> [String] {
    fields.compactMap { name, value in
      name == .storageLocationID || name == .location ? value?.string : nil
    }
  }

  /// The kind of what it makes.
  var makes: Kind? {
    switch self {
    case .want: .shoppingListEntry
    case .new: .stockItem
    case .place: .storageLocation
    case .barcode: .product
    case .bought: .receipt
    default: nil
    }
  }
}

extension EntityDifference {
  /// Whether there is more of it than before.
  var hasGrown: Bool {
    guard let quantity else { return false }
    return (quantity.after?.value ?? .zero) > (quantity.before?.value ?? .zero)
  }
}
