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

  /// The target's address in the library's memory.
  let place: UInt

  init(target: UnsafePointer<CChar>) {
    place = UInt(bitPattern: target)
    state = Mutex(State(target: String(cString: target)))
  }

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
