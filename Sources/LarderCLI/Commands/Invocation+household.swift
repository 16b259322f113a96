import LarderKit
import LarderModel
import LarderStore

extension Invocation {
  /// Reads the household, and tells what is the matter with files that people wrote.
  func survey() throws -> Survey {
    try withStore { store in
      let reading = try store.read()
      warn(about: reading.notes, in: store, reading.household)
      var survey = Survey(reading.household, now: try clock()())
      if has(ListOptions.sync) { survey.cloud = try cloudState(of: store) }
      return survey
    }
  }

  /// Changes the household in one commit, whose subject `body` gives.
  func change(
    request: String? = nil, _ body: (inout Edit, Writer, Survey) throws -> String
  ) throws -> Change {
    try withStore { store in
      var before: Survey?
      var own: [EntityKey] = []
      let tell = { (adoption: Writing.Adoption, household: Household) in
        warn(about: adoption, in: store, household)
      }
      let writing = try store.write(title, request: request, adopted: tell) { edit, writer in
        let survey = Survey(edit.before, now: writer.now)
        before = survey
        let subject = try body(&edit, writer, survey)
        own = edit.changed
        return subject
      }
      let after = Survey(writing.household, now: try clock()())
      return Change(writing: writing, before: before ?? after, after: after, own: own)
    }
  }
}

/// What a command did to the household.
struct Change {
  let writing: Writing
  let before: Survey
  let after: Survey
  /// What the command itself changed, without what followed from it.
  let own: [EntityKey]

  var isNothing: Bool { writing.changed.isEmpty }

  /// The entity as it is now.
  subscript(key: EntityKey) -> Entity? { after.household[key] }

  /// What the command itself changed, as people call it.
  var titles: [String] {
    own.compactMap { key in self[key].map { after.naming.title(of: $0) } }
  }

  /// What followed from what the command did.
  var consequences: [String] {
    writing.changed.compactMap { key in
      guard key.kind == .shoppingListEntry, !own.contains(key), let entry = self[key] else {
        return nil
      }
      return "\(after.naming.title(of: entry)) is on the shopping list: \(entry.desired)"
    }
  }
}
