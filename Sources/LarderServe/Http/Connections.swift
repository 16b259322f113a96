internal import Libc
internal import Synchronization

/// The open connections, with the time by which each has to have come further.
///
/// The library ends a connection on which nothing comes for a while. Somebody who sends a byte now
/// and then would keep it open, so a request has to be complete within a time, too. And nobody keeps
/// others out by opening many: who is new always gets in. Of the connections that have shown no
/// phone's token, the one ends for it that has been silent longest; if all are phones', the oldest of
/// the phone that has the most.
final class Connections: Sendable {
  /// The most connections of all clients, and of those without a token of one client that is not this
  /// machine.
  static let most = 128
  static let mostOfOne = 24

  private struct Connection {
    let socket: Int32
    let client: ClientAddress
    let number: Int
    var until: ContinuousClock.Instant
    /// Whether a request has begun on it, and the phone whose token one has had.
    var hasBegun = false
    var phone: String?
    /// Whether it is about to go, and counts no more.
    var isEnding = false
  }

  private struct State {
    var open: [UInt: Connection] = [:]
    var count = 0
    var isLooking = false
  }

  private let state = Mutex(State())
  /// Ends the connection of a socket, which stays open.
  private let end: @Sendable (Int32) -> Void

  init(end: @escaping @Sendable (Int32) -> Void) { self.end = end }

  /// The number of open connections.
  var count: Int { state.withLock { $0.open.count } }

  /// Notes a new connection, makes room for it, and looks at all of them as long as there are any.
  func add(_ connection: UInt, socket: Int32, for time: Duration) {
    let begins = state.withLock { state in
      state.count += 1
      state.open[connection] = Connection(
        socket: socket, client: ClientAddress(of: socket), number: state.count, until: .now + time)
      makeRoom(for: connection, in: &state)
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

  /// Notes that a request begins on a connection, which has this time to be complete.
  func begin(_ connection: UInt, for time: Duration) {
    state.withLock {
      $0.open[connection]?.hasBegun = true
      $0.open[connection]?.until = .now + time
    }
  }

  /// Notes that a request has passed the gate, with the token of this phone if it has one, and gives it
  /// time for its body; false if the connection is about to end.
  func admit(_ phone: String, on connection: UInt, for time: Duration) -> Bool {
    state.withLock { state in
      guard state.open[connection]?.isEnding == false else { return false }
      if !phone.isEmpty { state.open[connection]?.phone = phone }
      state.open[connection]?.until = .now + time
      return true
    }
  }

  func remove(_ connection: UInt) { state.withLock { $0.open[connection] = nil } }

  /// Ends one connection if there are too many, of the new one's client or of all.
  private func makeRoom(for new: UInt, in state: inout State) {
    guard let client = state.open[new]?.client else { return }
    let others = state.open.filter { !$0.value.isEnding && $0.key != new }
    let strangers = others.filter { $0.value.phone == nil }
    let own = strangers.filter { $0.value.client == client }
    let going: UInt?
    if !client.isThisMachine, own.count >= Self.mostOfOne {
      going = Self.silent(own)
    } else if others.count >= Self.most {
      going = Self.silent(strangers) ?? Self.oldest(ofMost: others)
    } else {
      return
    }
    guard let going, let socket = state.open[going]?.socket else { return }
    state.open[going]?.isEnding = true
    end(socket)
  }

  /// Returns the connection that has been silent longest.
  private static func silent(_ connections: [UInt: Connection]) -> UInt? {
    let silent = connections.filter { !$0.value.hasBegun }
    return oldest(silent.isEmpty ? connections : silent)
  }

  private static func oldest(ofMost connections: [UInt: Connection]) -> UInt? {
    let phones = Dictionary(grouping: connections) { $0.value.phone }
    let most = phones.values.max { $0.count < $1.count } ?? []
    return oldest(Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) }))
  }

  private static func oldest(_ connections: [UInt: Connection]) -> UInt? {
    connections.min { $0.value.number < $1.value.number }?.key
  }

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
