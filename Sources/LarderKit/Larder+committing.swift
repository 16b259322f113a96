public import LarderModel
internal import LarderStore

extension Larder {
  /// Adopts what people edited, then makes one commit of the changes of `body`.
  ///
  /// Returns the value of `body` and the household before and after. If `body` throws, nothing is
  /// changed except what was adopted. If plain git moves the branch meanwhile, `body` runs again,
  /// so it must have no other effects. Throws `RuleError` with `nameIsTaken` if two items or two
  /// locations would have the same name. `request` is an id of your choice that makes the call safe
  /// to repeat; the rule in `body` must take it too.
  @discardableResult
  public func commit<Value>(
    _ subject: String = "", request: String? = nil, _ body: (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    var before: Survey?
    var own: [EntityKey] = []
    let (writing, value) = try store.commit(as: context.command, request: request, adopted: tell) {
      (edit, writer) throws(any Error) in
      let survey = Survey(edit.before, now: writer.now)
      var change = Change(edit: edit, writer: writer, survey: survey, subject: subject)
      let value = try body(&change)
      try survey.refuseTakenNames(in: change.edit)
      (edit, before, own) = (change.edit, survey, change.edit.changed)
      return (change.subject, value)
    }.get()
    let after = Survey(writing.household, now: context.now())
    return (value, Outcome(writing: writing, before: before ?? after, after: after, own: own))
  }

  /// Makes one commit like ``commit(_:request:_:)``; `body` may also remove entities for good with
  /// `edit.remove`.
  ///
  /// Waits for a sync in progress, because it may be sending the entity to a remote. Throws
  /// `RuleError` with `knownElsewhere` for an entity that a remote or the project has; it would
  /// come back from there.
  @discardableResult
  public func commitRemoving<Value>(
    _ subject: String = "", _ body: (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    let lock = try store.syncLock()
    defer { lock.release() }
    return try commit(subject) { change in
      let value = try body(&change)
      let removed = change.edit.changed.filter { change.edit.after[$0] == nil }
      if let known = try store.knownElsewhere(Set(removed)).first {
        throw RuleError.knownElsewhere(change.survey.household[known]?.title ?? known.id)
      }
      return value
    }
  }

  /// Adopts what people edited or committed with plain git, and does nothing else.
  @discardableResult
  public func adopt() throws -> Writing {
    let writing = try store.adopt()
    tell(writing.adoption, writing.household)
    return writing
  }
}

/// A change of the household that is not committed yet.
public struct Change {
  /// The rules of the household, each a method; nothing is written before the commit.
  public var edit: Edit
  /// The writer, for the rules.
  public let writer: Writer
  /// The household before the change, after the adoption of edits.
  public let survey: Survey
  /// The commit's subject.
  public var subject: String
}

/// The household before and after a commit.
public struct Outcome {
  public let writing: Writing
  public let before: Survey
  public let after: Survey
  /// The entities that the command itself changed, without the consequences.
  public let own: [EntityKey]

  /// Whether nothing changed and no commit was made.
  public var isNothing: Bool { writing.changed.isEmpty }

  /// The entity after the commit.
  public subscript(key: EntityKey) -> Entity? { after.household[key] }

  /// The entries that the shopping list got because of the change.
  public var consequences: [Entity] {
    writing.changed.compactMap { key in
      key.kind == .shoppingListEntry && !own.contains(key) ? self[key] : nil
    }
  }
}
