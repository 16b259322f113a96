import Foundation
import LarderModel
import LarderStore

extension Invocation {
  /// The moment of this command: `LARDER_NOW`, else the clock's.
  func now() throws -> Instant {
    guard let text = environment["LARDER_NOW"] else {
      return Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
    guard let instant = Instant(text) else {
      throw unreadable(text, for: "LARDER_NOW", "an instant like 2026-11-03T19:12:44.120Z is needed")
    }
    return instant
  }

  /// Opens the household that this folder, or the one of `-C`, lies in.
  func store() throws -> Store {
    let now = try now()
    var context = StoreContext(now: { now }, device: environment["LARDER_DEVICE"])
    context.acceptsManyRemovals = has(GlobalOption.yes)
    let directory = self[GlobalOption.directory] ?? "."
    return try Store.open(from: directory, context: context)
  }

  /// Reads the household, and tells what is the matter with files that people wrote.
  func survey() throws -> Survey {
    let store = try store()
    let reading = try store.read()
    let survey = Survey(reading.household, now: try now(), root: store.root)
    tell(reading.notes, of: survey)
    return survey
  }

  /// Changes the household in one commit, whose subject `body` gives.
  func change(
    request: String? = nil, _ body: (inout Edit, Writer, Survey) throws -> String
  ) throws -> Change {
    let store = try store()
    var before: Survey?
    var own: [EntityKey] = []
    let writing = try store.write(title, request: request) { edit, writer in
      let survey = Survey(edit.before, now: writer.now, root: store.root)
      before = survey
      let subject = try body(&edit, writer, survey)
      own = edit.changed
      return subject
    }
    let after = Survey(writing.household, now: try now(), root: store.root)
    if let adoption = writing.adoption { tell(adoption.notes, of: after) }
    return Change(writing: writing, before: before ?? after, after: after, own: own)
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
}
