internal import Libc
internal import Synchronization

/// The open connections, with the time by which each has to have come further.
///
/// The library ends a connection on which nothing comes for a while. Somebody who sends a byte now
/// and then would keep it open, so a request has to be complete within a time, too. And nobody keeps
/// others out by opening many: who is new always gets in, and of those that have shown no phone's
/// token, the one ends that has been silent longest.
final class Connections: Sendable {
  /// The most connections of all clients, and of one that is not this machine.
  static let most = 64
  static let mostOfOne = 12

  private struct Connection {
    let socket: Int32
    let client: ClientAddress
    let number: Int
    var until: ContinuousClock.Instant
    /// Whether a request has begun on it, and whether one has had the token of a phone.
    var hasBegun = false
    var isPhones = false
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

  /// Notes that a request has had the token of a phone.
  func admitPhone(_ connection: UInt) { state.withLock { $0.open[connection]?.isPhones = true } }

  func remove(_ connection: UInt) { state.withLock { $0.open[connection] = nil } }

  /// Ends one connection if there are too many, of the new one's client or of all.
  private func makeRoom(for new: UInt, in state: inout State) {
    guard let client = state.open[new]?.client else { return }
    let all = state.open.filter { !$0.value.isEnding }
    let own = client.isThisMachine ? [:] : all.filter { $0.value.client == client }
    let crowd = own.count > Self.mostOfOne ? own : all
    guard own.count > Self.mostOfOne || all.count > Self.most else { return }
    let strangers = crowd.filter { !$0.value.isPhones && $0.key != new }
    let silent = strangers.filter { !$0.value.hasBegun }
    let chosen = (silent.isEmpty ? strangers : silent).min { $0.value.number < $1.value.number }
    let going = chosen?.key ?? new
    state.open[going]?.isEnding = true
    if let socket = state.open[going]?.socket { end(socket) }
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
