public import LarderModel
internal import LarderStore

extension Larder {
  /// Makes one commit of what `body` changes, after adopting what people edited.
  ///
  /// Returns the value of `body` and what the household is then. If `body` throws, nothing is changed
  /// but what was adopted. `body` runs again if plain git moves the branch meanwhile, so it changes
  /// nothing else. `request` is an id of your choice that makes repeating the call safe where the
  /// rule takes one too.
  @discardableResult
  public func commit<Value>(
    _ subject: String = "", request: String? = nil, _ body: (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    var before: Survey?
    var own: [EntityKey] = []
    let (writing, value) = try store.attempt(context.command, request: request, adopted: tell) {
      (edit, writer) throws(any Error) in
      let survey = Survey(edit.before, now: writer.now)
      var change = Change(edit: edit, writer: writer, survey: survey, subject: subject)
      let value = try body(&change)
      (edit, before, own) = (change.edit, survey, change.edit.changed)
      return (change.subject, value)
    }.get()
    let after = Survey(writing.household, now: context.now())
    return (value, Outcome(writing: writing, before: before ?? after, after: after, own: own))
  }

  /// Makes one commit like ``commit(_:request:_:)``, in which `body` may also remove entities for good
  /// with `edit.remove`.
  ///
  /// Waits for a sync that is under way, since a remote may just get to know what is removed. Throws
  /// `RuleError` with `knownElsewhere` for what a remote or the project knows: it would come back from
  /// there.
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

/// A change of the household in the making.
public struct Change {
  /// The rules of the household, each a method; nothing is written before the commit.
  public var edit: Edit
  /// Who writes, for the rules.
  public let writer: Writer
  /// The household before the change, with what people edited adopted.
  public let survey: Survey
  /// The commit's subject.
  public var subject: String
}

/// The household before and after a commit.
public struct Outcome {
  public let writing: Writing
  public let before: Survey
  public let after: Survey
  /// The entities that the command itself changed, without what followed from it.
  public let own: [EntityKey]

  /// Whether nothing changed, and no commit was made.
  public var isNothing: Bool { writing.changed.isEmpty }

  /// The entity as it is now.
  public subscript(key: EntityKey) -> Entity? { after.household[key] }

  /// The shopping list's entries that came there because of the change.
  public var consequences: [Entity] {
    writing.changed.compactMap { key in
      key.kind == .shoppingListEntry && !own.contains(key) ? self[key] : nil
    }
  }
}
