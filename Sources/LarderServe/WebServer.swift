public import LarderJSON
internal import LarderKit
internal import LarderStore
internal import Synchronization

/// What happens at a server, for the people at its terminal.
public enum WebEvent: Sendable {
  case paired(phone: String)
  case forgotten(phone: String)
  /// The machine has other addresses than before, as after a change of its network.
  case moved(WebAddresses)
  /// The handler of a path failed, which the phone was told in a plain sentence.
  case failed(path: String, any Error)
  /// The list of phones can't be used, so nobody is let in.
  case phones(PhonesError)
}

/// The web server of `larder serve`: the page, pairing, and the way to the handler of all else.
///
/// Every request passes the ``Gate`` first. Without a phone's token nobody reaches the handler, or
/// learns anything about the household.
public final class WebServer: Sendable {
  public typealias Handler = @Sendable (WebRequest) async throws -> WebResponse

  /// Where a server listens, and to what it answers.
  public struct Options: Sendable {
    /// The port that it has unless another one is chosen.
    public static let usualPort = 8413

    /// 0 is any port that is free.
    public var port = usualPort
    /// Whether the machine's networks reach it, not this machine alone.
    public var isOnNetworks = false
    /// Other names that it answers to, with a port if it is not the server's.
    public var names: [String] = []
    /// The files of a certificate and its key (PEM), for https.
    public var certificate: (chain: String, key: String)?
    /// The addresses on networks, which are looked for anew after each pause.
    package var networks: @Sendable () throws(ServeError) -> [MachineAddress] =
      MachineAddress.onNetworks
    package var pause = Duration.seconds(10)

    public init() {}
  }

  private let options: Options
  private let book: PhoneBook
  private let household: @Sendable () async throws -> JSON
  private let report: @Sendable (WebEvent) -> Void
  private let handler: Handler
  private let hurry: @Sendable () -> Void
  private let running = Mutex<Running?>(nil)

  private struct Running {
    let server: HTTPServer
    let service: Service
    let certificate: (chain: [UInt8], key: [UInt8])?
    var addresses: WebAddresses
    var listening: Set<MachineAddress>
    var looking: Task<Void, Never>?
  }

  /// Creates a server of some phones, which ``start()`` starts.
  ///
  /// `household` returns what a phone learns when it is paired. `handler` answers all of `/api/` but
  /// `pair` and `unpair`. It may throw a ``RequestMistake``, which is answered with 400; any other
  /// error becomes 500 with a plain sentence, and is reported. `hurry` is called before the server
  /// waits for the answers under way: what waits for news is answered then.
  public init(
    _ options: Options, phones book: PhoneBook,
    household: @escaping @Sendable () async throws -> JSON,
    report: @escaping @Sendable (WebEvent) -> Void, hurry: @escaping @Sendable () -> Void = {},
    handler: @escaping Handler
  ) {
    self.options = options
    self.book = book
    self.household = household
    self.report = report
    self.handler = handler
    self.hurry = hurry
  }

  /// Listens and answers from now on; returns the addresses.
  ///
  /// ``stop()`` has to follow, also after an error: some addresses may be served by then.
  public func start() throws(ServeError) -> WebAddresses {
    guard let library = Microhttpd.shared else { throw .noLibrary }
    let certificate = try readCertificate(library)
    var places = MachineAddress.local
    if options.isOnNetworks { places += try options.networks() }
    var listeners: [Listener] = []
    do throws(ServeError) {
      for place in places {
        let port = listeners.first?.port ?? options.port
        if let listener = try Listener(place, port: port) { listeners.append(listener) }
      }
    } catch {
      listeners.forEach { $0.end() }
      throw error
    }
    let addresses = WebAddresses(
      machine: listeners.map(\.address), port: listeners.first?.port ?? options.port, options)
    let service = Service(
      gate: Gate(authorities: addresses.authorities), book: book, household: household,
      report: report, hurry: hurry, handler: handler)
    let server = HTTPServer(library, service)
    running.withLock {
      $0 = Running(
        server: server, service: service, certificate: certificate, addresses: addresses,
        listening: Set(listeners.map(\.address)),
        looking: options.isOnNetworks ? lookForNetworks() : nil)
    }
    for (index, listener) in listeners.enumerated()
    where !server.serve(at: listener, certificate: certificate) {
      for rest in listeners[index...] { rest.end() }
      throw options.certificate.map { .badCertificate(certificate: $0.chain, key: $0.key) }
        ?? .notStarted
    }
    return addresses
  }

  /// Ends the server, after the answers to what is under way.
  public func stop() async {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    ended?.looking?.cancel()
    await ended?.server.stop()
  }

  /// A machine that has just been switched on may have no network yet, and a laptop moves.
  private func lookForNetworks() -> Task<Void, Never> {
    Task { [weak self, pause = options.pause] in
      while (try? await Task.sleep(for: pause)) != nil { self?.followNetworks() }
    }
  }

  /// Listens at the addresses that are new, and answers to those that the machine has now.
  ///
  /// What fails is tried again after the next pause.
  private func followNetworks() {
    guard let places = try? options.networks() else { return }
    let moved = running.withLock { running -> WebAddresses? in
      guard var now = running else { return nil }
      for place in places where !now.listening.contains(place) {
        guard let listener = try? Listener(place, port: now.addresses.port) else { continue }
        if now.server.serve(at: listener, certificate: now.certificate) {
          now.listening.insert(place)
        } else {
          listener.end()
        }
      }
      let gone = now.listening.subtracting(MachineAddress.local).subtracting(places)
      for place in gone where now.server.end(at: place) { now.listening.remove(place) }
      let addresses = WebAddresses(
        machine: (MachineAddress.local + places).filter(now.listening.contains),
        port: now.addresses.port, options)
      let isMoved = addresses != now.addresses
      now.addresses = addresses
      now.service.answer(to: addresses.authorities)
      running = now
      return isMoved ? addresses : nil
    }
    if let moved { report(.moved(moved)) }
  }

  /// The number of open connections.
  var openConnections: Int { running.withLock { $0?.server.openConnections ?? 0 } }

  private func readCertificate(_ library: Microhttpd) throws(ServeError)
    -> (chain: [UInt8], key: [UInt8])?
  {
    guard let files = options.certificate else { return nil }
    guard library.hasTLS else { throw .noTLS }
    do throws(StoreError) {
      return (
        try SystemFile.read(files.chain, following: true),
        try SystemFile.read(files.key, following: true)
      )
    } catch {
      guard case .system(let action, let path, let code) = error else { throw .notStarted }
      throw .system(action: action, path: path, code: code)
    }
  }
}

/// The addresses of a server.
public struct WebAddresses: Sendable, Hashable {
  public let port: Int
  /// All addresses that may be opened, such as `http://127.0.0.1:8413/`.
  public let all: [String]
  /// The one that a phone opens; nil if only this machine reaches the server.
  public let forPhones: String?
  /// What a request may have as its `Host`.
  let authorities: [String]

  init(machine: [MachineAddress], port: Int, _ options: WebServer.Options) {
    self.port = port
    let isSecure = options.certificate != nil
    let scheme = isSecure ? "https" : "http"
    let own = machine.map { $0.authority(port: port) }
    let named = options.names.map { $0.contains(":") ? $0 : "\($0):\(port)" }
    // A proxy in front of the server has the usual port, and leaves it out.
    authorities =
      own + ["localhost:\(port)"] + named + options.names
      + (port == (isSecure ? 443 : 80) ? machine.map { $0.isIPv6 ? "[\($0.text)]" : $0.text } : [])
    all = own.map { "\(scheme)://\($0)/" }
    let onNetwork = machine.first { !MachineAddress.local.contains($0) }
    if let name = options.names.first {
      let isBehindProxy = !isSecure && !options.isOnNetworks
      forPhones = isBehindProxy ? "https://\(name)/" : "\(scheme)://\(named[0])/"
    } else {
      forPhones = onNetwork.map { "\(scheme)://\($0.authority(port: port))/" }
    }
  }
}

/// What answers the requests of a server.
private final class Service: HTTPService {
  private let gate: Mutex<Gate>
  private let book: PhoneBook
  private let household: @Sendable () async throws -> JSON
  private let report: @Sendable (WebEvent) -> Void
  private let handler: WebServer.Handler
  private let onHurry: @Sendable () -> Void
  private let wrongTokens = Mutex(Throttle<ClientAddress>(most: 20))
  private let wrongCodes = Mutex(Throttle<Guesser>(most: 10))
  private let told = Mutex<PhonesError?>(nil)

  init(
    gate: Gate, book: PhoneBook, household: @escaping @Sendable () async throws -> JSON,
    report: @escaping @Sendable (WebEvent) -> Void, hurry: @escaping @Sendable () -> Void,
    handler: @escaping WebServer.Handler
  ) {
    self.gate = Mutex(gate)
    self.book = book
    self.household = household
    self.report = report
    onHurry = hurry
    self.handler = handler
  }

  func hurry() { onHurry() }

  /// Answers to these names from now on.
  func answer(to authorities: [String]) {
    gate.withLock { $0 = Gate(authorities: authorities) }
  }

  /// A client that guesses a code: when there is another code, it begins anew.
  private struct Guesser: Hashable {
    let client: ClientAddress
    let code: [UInt8]
  }

  func admit(_ head: RequestHead, from client: ClientAddress) -> Result<WebRequest, HTTPRefused> {
    let client = client.forwarded(head.all("x-forwarded-for").last)
    var trouble: PhonesError?
    do throws(Refusal) {
      var request = try gate.withLock(\.self).check(head) { digest in
        do throws(PhonesError) {
          return try book.phone(digest)
        } catch {
          trouble = error
          return nil
        }
      }
      request.client = client
      return .success(request)
    } catch {
      if let trouble { return .failure(HTTPRefused(response: unusable(trouble))) }
      return .failure(HTTPRefused(response: WebResponse(counted(error, client))))
    }
  }

  /// Counts a wrong token; a true one passes, however many wrong ones others send.
  private func counted(_ refusal: Refusal, _ client: ClientAddress) -> Refusal {
    guard refusal == .wrongToken else { return refusal }
    return wrongTokens.withLock { throttle in
      if throttle.isReached(by: client, at: .now) { return .tooManyTokens }
      throttle.count(client, at: .now)
      return .wrongToken
    }
  }

  func answerAtOnce(_ request: WebRequest) -> WebResponse? {
    if request.isForAPI { return nil }
    return PageFiles.answer(request) ?? WebResponse(.nothingHere)
  }

  func answer(_ request: WebRequest) async -> WebResponse {
    do {
      // The phone may have been forgotten since the head came.
      if request.needsToken, try book.phone(request.token) == nil {
        return WebResponse(.wrongToken)
      }
      switch (request.method, request.path) {
      case (.post, "/api/1/pair"): return try await pair(request)
      case (.post, "/api/1/unpair"):
        if try book.forget(request.phone) { report(.forgotten(phone: request.phone)) }
        return .json([:])
      case (_, "/api/1/pair"), (_, "/api/1/unpair"): return WebResponse(.nothingHere)
      default:
        do throws(PhonesError) {
          if request.needsToken { try book.noteUse(of: request.phone) }
          told.withLock { $0 = nil }
        } catch {
          // Only the day of the last use is missing then.
          tell(error)
        }
        return try await handler(request)
      }
    } catch let mistake as RequestMistake {
      return WebResponse(mistake)
    } catch let error as PhonesError {
      return unusable(error)
    } catch {
      report(.failed(path: request.path, error))
      return .say(
        "Something went wrong at the server; its terminal says what. Nothing is lost.", status: 500)
    }
  }

  /// Reports a trouble with the list once, and again if it comes back: phones ask every few seconds.
  private func tell(_ error: PhonesError) {
    let isNew = told.withLock { told in
      defer { told = error }
      return told != error
    }
    if isNew { report(.phones(error)) }
  }

  private func unusable(_ error: PhonesError) -> WebResponse {
    tell(error)
    return .say(
      "The server can't use its list of paired phones; its terminal says why.", status: 503)
  }

  /// Returns a name as a word of a command that stands in no quotes.
  private static func quoted(_ name: String) -> String {
    let isPlain = name == shellWord(name) || name.contains { "\"$`\\!".contains($0) }
    return isPlain ? shellWord(name) : "\"\(name)\""
  }

  private func pair(_ request: WebRequest) async throws -> WebResponse {
    let guesser = Guesser(client: request.client, code: try book.codeDigest())
    if wrongCodes.withLock({ $0.isReached(by: guesser, at: .now) }) {
      return WebResponse(.tooManyCodes)
    }
    let json = try request.json()
    guard let code = json["code"]?.string else {
      throw RequestMistake(at: "code", say: "A code is needed.")
    }
    guard let name = json["name"]?.string else {
      throw RequestMistake(at: "name", say: "A name for the phone is needed.")
    }
    switch try book.pair(code: code, name: name) {
    case .success(let phone):
      report(.paired(phone: phone.name))
      return .json([
        "token": .string(phone.token), "phone": ["name": .string(phone.name)],
        "household": try await household(),
      ])
    case .failure(.badName):
      throw RequestMistake(
        at: "name",
        say: "A phone's name is one line of up to 60 characters that can be seen, without < and >.")
    case .failure(.takenName(let other)):
      return .say(
        "A phone called \(other) is paired already. Choose a name that looks different. Or if this "
          + "phone takes its place, ask whoever set Larder up for the code that this shows: "
          + "larder serve --pair \(Self.quoted(other))", status: 409)
    case .failure(.unknownCode):
      wrongCodes.withLock { $0.count(guesser, at: .now) }
      return .say(
        "This code is not right, was used, or is older than five minutes; "
          + "'larder serve --pair' shows another one.", status: 403)
    }
  }
}
