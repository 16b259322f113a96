internal import Cmicrohttpd
internal import Dispatch
internal import Libc
internal import Synchronization

/// What stands behind the library: the gate for heads, and the work for whole requests.
protocol HTTPService: Sendable {
  /// Returns what passes of a head, or the answer that says why nothing does.
  func admit(_ head: RequestHead, from client: ClientAddress) -> Result<WebRequest, HTTPRefused>
  /// Returns the answer that needs no waiting; nil for all others.
  func answerAtOnce(_ request: WebRequest) -> WebResponse?
  func answer(_ request: WebRequest) async -> WebResponse
  /// Lets no request wait for something that may take long.
  func hurry()
}

/// The answer to a request that does not pass.
struct HTTPRefused: Error {
  let response: WebResponse
}

/// A server of libmicrohttpd, with a thread of the library's for each address.
///
/// The thread never waits for an answer: while somebody works on it, the connection rests.
final class HTTPServer: Sendable {
  /// How long a connection may stand still, and how long a head may take.
  static let patience = Duration.seconds(10)
  private static let patienceForHeads = Duration.seconds(5)
  /// The most connections that the library has at an address: those that are about to end are among
  /// them.
  private static let mostConnections = Connections.most * 2
  /// The versions that are spoken with a certificate, as GnuTLS writes them: TLS 1.2 at least.
  private static let protocols: StaticString = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
  /// The longest time for taking an answer.
  private static let taking = Duration.seconds(60)

  private struct Daemon: @unchecked Sendable {
    let pointer: Microhttpd.Pointer
    let address: MachineAddress
    let listener: Int32
  }

  private struct UnderWay {
    var count = 0
    var isEnding = false
    var whenDone: [CheckedContinuation<Void, Never>] = []
  }

  private let library: Microhttpd
  private let service: any HTTPService
  private let daemons = Mutex<[Daemon]>([])
  private let underWay = Mutex(UnderWay())
  private let connections = Connections { shutdown($0, Int32(SHUT_RDWR)) }

  init(_ library: Microhttpd, _ service: any HTTPService) {
    self.library = library
    self.service = service
  }

  /// The number of open connections.
  var openConnections: Int { connections.count }

  /// Serves at a listening socket, which is closed in the end; false if the library refuses.
  func serve(at listener: Listener, certificate: (chain: [UInt8], key: [UInt8])?) -> Bool {
    var flags = Microhttpd.Flag.ownThread | Microhttpd.Flag.suspending | Microhttpd.Flag.pedantic
    flags |= Microhttpd.Flag.bestPolling
    if listener.address.isIPv6 { flags |= Microhttpd.Flag.ipv6 }
    let own = Unmanaged.passUnretained(self).toOpaque()
    var options: [larder_http_option] = [
      .init(.memory, value: 48 << 10), .init(.mostConnections, value: Self.mostConnections),
      .init(.timeout, value: Int(Self.patience.components.seconds)), .init(.strict, value: 1),
      .init(.socket, value: Int(listener.descriptor)),
      .init(.beginning, value: unsafeBitCast(Self.beginning, to: Int.self), own),
      .init(.ending, value: unsafeBitCast(Self.ending, to: Int.self), own),
      .init(.notice, value: unsafeBitCast(Self.notice, to: Int.self), own),
    ]
    var chain = (certificate?.chain ?? []) + [0]
    var key = (certificate?.key ?? []) + [0]
    let started = chain.withUnsafeMutableBytes { chain in
      key.withUnsafeMutableBytes { key in
        if certificate != nil {
          flags |= Microhttpd.Flag.tls
          options.append(
            .init(.priorities, UnsafeMutableRawPointer(mutating: Self.protocols.utf8Start)))
          options.append(.init(.certificate, chain.baseAddress))
          options.append(.init(.key, key.baseAddress))
        }
        return library.start(flags, Self.handler, own, options)
      }
    }
    guard let started else { return false }
    daemons.withLock {
      $0.append(Daemon(pointer: started, address: listener.address, listener: listener.descriptor))
    }
    return true
  }

  /// Ends serving at an address that the machine has no longer; false while somebody waits for an
  /// answer.
  ///
  /// What comes to another address meanwhile is answered as at the end, and phones send it again.
  func end(at address: MachineAddress) -> Bool {
    guard becomesQuiet() else { return false }
    let ended = daemons.withLock { daemons in
      defer { daemons.removeAll { $0.address == address } }
      return daemons.filter { $0.address == address }
    }
    for daemon in ended {
      _ = library.quiesce(daemon.pointer)
      library.stop(daemon.pointer)
      close(daemon.listener)
    }
    underWay.withLock { $0.isEnding = false }
    return true
  }

  /// Takes no more requests, and waits a little for the answers to what is under way; false, and as
  /// before, if there are some still.
  private func becomesQuiet() -> Bool {
    underWay.withLock { $0.isEnding = true }
    service.hurry()
    let end = ContinuousClock.now + .seconds(1)
    while underWay.withLock({ $0.count }) > 0 {
      guard .now < end else {
        underWay.withLock { $0.isEnding = false }
        return false
      }
      usleep(5000)
    }
    return true
  }

  /// Takes no more connections, waits for the answers to what is under way, and ends.
  func stop() async {
    let ended = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for daemon in ended { _ = library.quiesce(daemon.pointer) }
    await withCheckedContinuation { continuation in
      let isDone = underWay.withLock { state in
        state.isEnding = true
        if state.count > 0 { state.whenDone.append(continuation) }
        return state.count == 0
      }
      if isDone { continuation.resume() }
      service.hurry()
    }
    await withCheckedContinuation { continuation in
      // It waits for the library's threads, which no task should.
      DispatchQueue.global().async { [self] in
        for daemon in ended {
          library.stop(daemon.pointer)
          close(daemon.listener)
        }
        continuation.resume()
      }
    }
  }

  // MARK: - What the library's threads call

  private static func server(_ pointer: UnsafeMutableRawPointer?) -> HTTPServer? {
    pointer.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
    pointer.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let notice: larder_http_notice = { server, connection, _, event in
    guard let server = HTTPServer.server(server), let connection else { return }
    let number = UInt(bitPattern: connection)
    if event == 0 {
      server.connections.add(
        number, socket: server.library.socket(of: connection), for: patienceForHeads)
    } else {
      server.connections.remove(number)
    }
  }

  private static let beginning: larder_http_beginning = { server, target, connection in
    guard let server = HTTPServer.server(server), let connection, let target else { return nil }
    server.connections.begin(UInt(bitPattern: connection), for: patienceForHeads)
    return Unmanaged.passRetained(Exchange(target: target)).toOpaque()
  }

  private static let ending: larder_http_ending = { server, connection, request, _ in
    guard let request, let pointer = request.pointee else { return }
    request.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    guard let server = HTTPServer.server(server) else { return }
    if let connection {
      server.connections.extend(UInt(bitPattern: connection), by: patience * 2)
    }
    if exchange.isUnderWay { server.finishOne() }
  }

  private static let handler: larder_http_handler = {
    server, connection, _, method, version, bytes, size, request in
    guard let server = HTTPServer.server(server), let connection, let method, let version, let size,
      let exchange = HTTPServer.exchange(request?.pointee)
    else { return 0 }
    if exchange.check() {
      let line = (method: String(cString: method), version: String(cString: version))
      let whole = UnsafeRawBufferPointer(
        start: method, count: server.library.headSize(of: connection))
      return server.look(at: exchange, line, whole, connection)
    }
    if size.pointee > 0 {
      exchange.add(UnsafeRawBufferPointer(start: bytes, count: size.pointee))
      size.pointee = 0
      return 1
    }
    return server.goOn(exchange, connection)
  }

  private func look(
    at exchange: Exchange, _ line: (method: String, version: String),
    _ whole: UnsafeRawBufferPointer, _ connection: Microhttpd.Pointer
  ) -> Int32 {
    let found = headers(of: connection)
    let head = RequestHead(line.method, exchange.target, found.headers)
    let signs = found.signs + RequestHead.signs(in: (line.method + line.version).utf8)
    guard head.isAll(of: whole, target: exchange.place, signs: signs) else {
      return queue(WebResponse(.malformed(.header)), connection)
    }
    let client = ClientAddress(of: library.socket(of: connection))
    switch service.admit(head, from: client) {
    case .success(let request):
      let isOpen = connections.admit(
        request.phone, on: UInt(bitPattern: connection), for: Self.patience)
      guard isOpen else { return 0 }
      exchange.admit(request)
      return 1
    case .failure(let refused): return queue(refused.response, connection)
    }
  }

  private func goOn(_ exchange: Exchange, _ connection: Microhttpd.Pointer) -> Int32 {
    switch exchange.step() {
    case .answer(let response): return queue(response, connection)
    case .work(let request):
      if let response = service.answerAtOnce(request) {
        return queue(response.compressed(for: request), connection)
      }
      guard beginOne() else { return queue(WebResponse(.ending), connection) }
      exchange.begin()
      connections.extend(UInt(bitPattern: connection), by: .seconds(3600))
      library.suspend(connection)
      let resting = Resting(pointer: connection)
      Task(executorPreference: AnsweringQueue.shared) { [self] in
        exchange.answer(await service.answer(request).compressed(for: request))
        library.resume(resting.pointer)
      }
      return 1
    }
  }

  /// A connection that rests until its answer is there.
  private struct Resting: @unchecked Sendable {
    let pointer: Microhttpd.Pointer
  }

  /// A head as the library tells it: the headers, and how many signs they have.
  private struct Found {
    var headers: [RequestHead.Header] = []
    var signs = 0
  }

  private func headers(of connection: Microhttpd.Pointer) -> Found {
    var found = Found()
    withUnsafeMutablePointer(to: &found) { list in
      // 1 is MHD_HEADER_KIND.
      _ = library.headers(
        connection, 1,
        { list, _, name, nameSize, value, valueSize in
          let name = UnsafeRawBufferPointer(start: name, count: nameSize)
          let value = UnsafeRawBufferPointer(start: value, count: valueSize)
          let found = list?.assumingMemoryBound(to: Found.self)
          found?.pointee.headers.append(.init(text(name), text(value)))
          found?.pointee.signs += RequestHead.signs(in: name) + RequestHead.signs(in: value)
          return 1
        }, list)
    }
    return found
  }

  private func queue(_ response: WebResponse, _ connection: Microhttpd.Pointer) -> Int32 {
    connections.extend(UInt(bitPattern: connection), by: Self.taking)
    let whole = response.complete
    // 2 is MHD_RESPMEM_MUST_COPY.
    let made = whole.body.withUnsafeBytes { library.makeResponse($0.count, $0.baseAddress, 2) }
    guard let made else { return 0 }
    defer { library.freeResponse(made) }
    for header in whole.headers { _ = library.addHeader(made, header.name, header.value) }
    return library.queue(connection, UInt32(whole.status), made)
  }

  private func beginOne() -> Bool {
    underWay.withLock { state in
      if state.isEnding { return false }
      state.count += 1
      return true
    }
  }

  private func finishOne() {
    let waiting = underWay.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.whenDone = [] }
      return state.whenDone
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Returns the text of bytes that the library has; what is no UTF-8 becomes what the gate refuses in
/// all that counts.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes, as: UTF8.self)
}

/// Where requests are answered: threads of the server's own, so that others that block the shared ones
/// keep no phone waiting.
final class AnsweringQueue: TaskExecutor {
  static let shared = AnsweringQueue()

  private let queue = DispatchQueue(label: "larder.serve", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
