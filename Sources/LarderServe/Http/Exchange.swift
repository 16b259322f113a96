internal import Synchronization

/// A request under way: only the library's thread uses it, but for the answer.
final class Exchange: Sendable {
  private struct State {
    var target: String
    var request: WebRequest?
    var isChecked = false
    var isTooLong = false
    var isUnderWay = false
    var response: WebResponse?
  }

  private let state: Mutex<State>

  init(target: String) { state = Mutex(State(target: target)) }

  var target: String { state.withLock { $0.target } }

  /// Returns whether this is the first look at the request.
  func check() -> Bool {
    state.withLock { state in
      defer { state.isChecked = true }
      return !state.isChecked
    }
  }

  /// Takes over what passed the gate.
  func admit(_ request: WebRequest) { state.withLock { $0.request = request } }

  /// Adds a piece of the body; what is too long is dropped.
  func add(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      let size = (state.request?.body.count ?? 0) + bytes.count
      if size > Gate.mostBody || state.isTooLong {
        state.isTooLong = true
        state.request?.body = []
      } else {
        state.request?.body += bytes
      }
    }
  }

  /// What is to be done once the whole request is there.
  enum Step {
    case work(WebRequest)
    case answer(WebResponse)
  }

  func step() -> Step {
    state.withLock { state in
      if let response = state.response { return .answer(response) }
      guard let request = state.request, !state.isTooLong else {
        return .answer(WebResponse(Refusal.bodyTooLong))
      }
      return .work(request)
    }
  }

  /// Notes that somebody works on the answer.
  func begin() { state.withLock { $0.isUnderWay = true } }

  /// Whether somebody has worked on the answer.
  var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  func answer(_ response: WebResponse) { state.withLock { $0.response = response } }
}

/// The open connections, with the time by which each has to have come further.
///
/// The library ends a connection on which nothing comes for a while. Somebody who sends a byte now
/// and then would keep it open, so a request has to be complete within a time, too.
final class Connections: Sendable {
  private struct State {
    var open: [UInt: (socket: Int32, until: ContinuousClock.Instant)] = [:]
    var isLooking = false
  }

  private let state = Mutex(State())
  /// Ends the connection of a socket, which stays open.
  private let end: @Sendable (Int32) -> Void

  init(end: @escaping @Sendable (Int32) -> Void) { self.end = end }

  /// The number of open connections.
  var count: Int { state.withLock { $0.open.count } }

  /// Notes a new connection, and looks at all of them as long as there are any.
  func add(_ connection: UInt, socket: Int32, for time: Duration) {
    let begins = state.withLock { state in
      state.open[connection] = (socket, .now + time)
      defer { state.isLooking = true }
      return !state.isLooking
    }
    guard begins else { return }
    Task {
      while look() { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  /// Gives a connection time for its next step.
  func extend(_ connection: UInt, by time: Duration) {
    state.withLock { $0.open[connection]?.until = .now + time }
  }

  func remove(_ connection: UInt) { state.withLock { $0.open[connection] = nil } }

  /// Ends what is late; returns whether there are connections.
  private func look() -> Bool {
    state.withLock { state in
      // The socket can't be closed, and its number given to another one, while the lock is held.
      for connection in state.open.values where connection.until < .now { end(connection.socket) }
      state.isLooking = !state.open.isEmpty
      return state.isLooking
    }
  }
}
