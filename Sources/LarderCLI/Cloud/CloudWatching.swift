import LarderCloud
import LarderModel
import LarderStore
import LarderSync

/// The cloud, as `larder watch` takes it.
struct CloudWatching: Sendable {
  /// Where the road leads.
  enum Standing: Sendable {
    /// The household is in no project, or is to stay local.
    case none
    /// Nobody is signed in.
    case closed
    case open
  }

  let root: String
  let invocation: Invocation
  let lines: WatchLines

  func standing() throws -> Standing {
    let store = try open()
    guard try !store.isLocalOnly, try store.cloudURL != nil else { return .none }
    return try CloudConnection.signedIn(of: store, invocation) == nil ? .closed : .open
  }

  var road: OtherRoad {
    OtherRoad {
      guard let connection = try CloudConnection.signedIn(of: try open(), invocation) else {
        return .closed
      }
      return .open(isAhead: try connection.state().count(.pending) > 0)
    } go: { adopted in
      guard let connection = try CloudConnection.signedIn(of: try open(), invocation) else {
        return OtherRoad.Outcome(isNews: false) {}
      }
      let sync = try connection.sync(adopted: adopted)
      let (pulled, pushed) = try waited { try await sync.sync() }
      let isNews =
        !pulled.changed.isEmpty || !pulled.refused.isEmpty || pushed.synced > 0
        || !pushed.failed.isEmpty
      return OtherRoad.Outcome(isNews: isNews) { tell(pulled, pushed) }
    }
  }

  private func open() throws -> Store {
    try Store.open(from: root, context: invocation.storeContext())
  }

  private func tell(_ pulled: PullOutcome, _ pushed: PushOutcome) {
    let warnings =
      CloudWords.warnings(about: pulled.refused)
      + CloudWords.warnings(about: pushed.failed, in: pushed.household)
    for warning in warnings { lines.say("⚠️ " + warning) }
    let losses = CloudExchangeOutcome(pulled: pulled, pushed: pushed).losses
    if !losses.isEmpty {
      lines.say("⚠️ " + LossWords.sentence(losses.map(\.shortText), in: "the merge"))
    }
    lines.say(CloudWords.line(pulled, pushed))
    for (changed, before, after) in [
      (pulled.changed, pulled.before, pulled.household),
      (pushed.changed, pushed.before, pushed.household),
    ] {
      lines.tell(after.differences(from: before, of: changed), before, after, "📥 received")
    }
  }
}
