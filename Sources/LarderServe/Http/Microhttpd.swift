internal import Cmicrohttpd
internal import Libc

/// The system's libmicrohttpd, loaded by the first server.
struct Microhttpd: @unchecked Sendable {
  typealias Pointer = UnsafeMutableRawPointer

  let stop: @convention(c) (Pointer) -> Void
  let quiesce: @convention(c) (Pointer) -> Int32
  let suspend: @convention(c) (Pointer) -> Void
  let resume: @convention(c) (Pointer) -> Void
  let headers: @convention(c) (Pointer, Int32, larder_http_reader, Pointer?) -> Int32
  let makeResponse: @convention(c) (Int, UnsafeRawPointer?, Int32) -> Pointer?
  let addHeader: @convention(c) (Pointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  let queue: @convention(c) (Pointer, UInt32, Pointer) -> Int32
  let freeResponse: @convention(c) (Pointer) -> Void
  private let isSupported: @convention(c) (Int32) -> Int32
  private let starting: Pointer
  private let facts: Pointer

  /// Nil if the system has no libmicrohttpd.
  static let shared: Microhttpd? = load()

  /// The names of the library; Homebrew's folders are not among those that the system looks in.
  private static func load() -> Microhttpd? {
    for library in SharedLibrary.named("libmicrohttpd", version: 12) {
      if let found = Microhttpd(library) { return found }
    }
    return nil
  }

  private init?(_ library: SharedLibrary) {
    guard
      let stop = library["MHD_stop_daemon", as: (@convention(c) (Pointer) -> Void).self],
      let quiesce = library["MHD_quiesce_daemon", as: (@convention(c) (Pointer) -> Int32).self],
      let suspend = library["MHD_suspend_connection", as: (@convention(c) (Pointer) -> Void).self],
      let resume = library["MHD_resume_connection", as: (@convention(c) (Pointer) -> Void).self],
      let headers = library[
        "MHD_get_connection_values_n",
        as: (@convention(c) (Pointer, Int32, larder_http_reader, Pointer?) -> Int32).self],
      let makeResponse = library[
        "MHD_create_response_from_buffer",
        as: (@convention(c) (Int, UnsafeRawPointer?, Int32) -> Pointer?).self],
      let addHeader = library[
        "MHD_add_response_header",
        as: (@convention(c) (Pointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32).self],
      let queue = library[
        "MHD_queue_response", as: (@convention(c) (Pointer, UInt32, Pointer) -> Int32).self],
      let freeResponse = library[
        "MHD_destroy_response", as: (@convention(c) (Pointer) -> Void).self],
      let isSupported = library[
        "MHD_is_feature_supported", as: (@convention(c) (Int32) -> Int32).self],
      let starting = library["MHD_start_daemon"],
      let facts = library["MHD_get_connection_info"]
    else { return nil }
    self.stop = stop
    self.quiesce = quiesce
    self.suspend = suspend
    self.resume = resume
    self.headers = headers
    self.makeResponse = makeResponse
    self.addHeader = addHeader
    self.queue = queue
    self.freeResponse = freeResponse
    self.isSupported = isSupported
    self.starting = starting
    self.facts = facts
  }

  /// Whether the library was built with TLS: 2 is MHD_FEATURE_TLS.
  var hasTLS: Bool { isSupported(2) != 0 }

  /// MHD_FLAG: how a server works.
  enum Flag {
    static let tls: UInt32 = 2
    static let ownThread: UInt32 = 8
    static let ipv6: UInt32 = 16
    static let pedantic: UInt32 = 32
    static let suspending: UInt32 = 8192 | 1024
    static let bestPolling: UInt32 = 65536
  }

  /// MHD_OPTION: what a server is given.
  enum Option: Int32 {
    case memory = 1
    case mostConnections = 2
    case timeout = 3
    case ending = 4
    case beginning = 7
    case key = 8
    case certificate = 9
    case priorities = 11
    case socket = 12
    case notice = 27
    case strict = 29
  }

  func start(
    _ flags: UInt32, _ handler: larder_http_handler, _ server: Pointer,
    _ options: [larder_http_option]
  ) -> Pointer? {
    larder_http_start(starting, flags, handler, server, options + [larder_http_option()])
  }

  /// Returns the number of bytes of the head of a connection's request.
  func headSize(of connection: Pointer) -> Int { larder_http_head_size(facts, connection) }

  /// Returns the socket of a connection.
  func socket(of connection: Pointer) -> Int32 { larder_http_socket(facts, connection) }
}

extension larder_http_option {
  init(_ option: Microhttpd.Option, value: Int = 0, _ pointer: UnsafeMutableRawPointer? = nil) {
    self.init(option: option.rawValue, value: value, pointer: pointer)
  }
}

/// A library of the system that is loaded while the program runs.
struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Returns the libraries of this name and version that can be loaded, in the order of looking.
  static func named(_ name: String, version: Int) -> some Sequence<SharedLibrary> {
    #if canImport(Darwin)
      let file = "\(name).\(version).dylib"
      let places = ["/opt/homebrew/lib/\(file)", "/usr/local/lib/\(file)", file]
    #else
      let places = ["\(name).so.\(version)"]
    #endif
    return places.lazy.compactMap { place in
      dlopen(place, RTLD_NOW | RTLD_LOCAL).map(SharedLibrary.init(handle:))
    }
  }

  subscript(name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }

  subscript<Function>(name: String, as type: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
