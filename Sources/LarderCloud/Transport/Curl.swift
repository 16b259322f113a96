#if !canImport(Darwin)
  internal import Ccurl
  internal import Dispatch
  internal import Libc
  internal import Synchronization

  /// The system's libcurl, loaded at the first request.
  struct Curl: @unchecked Sendable {
    typealias Handle = UnsafeMutableRawPointer

    let make: @convention(c) () -> Handle?
    let perform: @convention(c) (Handle) -> Int32
    let reset: @convention(c) (Handle) -> Void
    let free: @convention(c) (Handle) -> Void
    let append: @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
    let freeList: @convention(c) (Handle?) -> Void
    let message: @convention(c) (Int32) -> UnsafePointer<CChar>?
    private let setting: UnsafeMutableRawPointer
    private let fact: UnsafeMutableRawPointer

    /// Nil if the system has no libcurl.
    static let shared: Curl? = load()

    /// Loads libcurl.
    ///
    /// Debian has it under two names, with OpenSSL and with GnuTLS; git needs the latter.
    private static func load() -> Curl? {
      for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
        if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return Curl(library) }
      }
      return nil
    }

    private init?(_ library: UnsafeMutableRawPointer) {
      func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard
        let start = symbol("curl_global_init", as: (@convention(c) (Int) -> Int32).self),
        let make = symbol("curl_easy_init", as: (@convention(c) () -> Handle?).self),
        let perform = symbol("curl_easy_perform", as: (@convention(c) (Handle) -> Int32).self),
        let reset = symbol("curl_easy_reset", as: (@convention(c) (Handle) -> Void).self),
        let free = symbol("curl_easy_cleanup", as: (@convention(c) (Handle) -> Void).self),
        let append = symbol(
          "curl_slist_append",
          as: (@convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?).self),
        let freeList = symbol("curl_slist_free_all", as: (@convention(c) (Handle?) -> Void).self),
        let message = symbol(
          "curl_easy_strerror", as: (@convention(c) (Int32) -> UnsafePointer<CChar>?).self),
        let setting = dlsym(library, "curl_easy_setopt"),
        let fact = dlsym(library, "curl_easy_getinfo"),
        // 3 is CURL_GLOBAL_ALL.
        start(3) == 0
      else { return nil }
      self.make = make
      self.perform = perform
      self.reset = reset
      self.free = free
      self.append = append
      self.freeList = freeList
      self.message = message
      self.setting = setting
      self.fact = fact
    }

    /// CURLoption: numbers start at 0, pointers at 10,000, functions at 20,000.
    enum NumberOption: Int32 {
      case post = 47
      case postFieldSize = 60
      case lowSpeedLimit = 19
      case lowSpeedTime = 20
      case noProgress = 43
      case connectTimeoutMilliseconds = 156
      case noSignal = 99
      case protocols = 181
    }

    enum PointerOption: Int32 {
      case writeData = 10_001
      case url = 10_002
      case proxy = 10_004
      case errorBuffer = 10_010
      case postFields = 10_015
      case httpHeader = 10_023
      case headerData = 10_029
      case customRequest = 10_036
      case progressData = 10_057
      case acceptEncoding = 10_102
    }

    enum ReceiverOption: Int32 {
      case write = 20_011
      case header = 20_079
    }

    func set(_ option: NumberOption, _ value: Int, of handle: Handle) {
      _ = larder_curl_set_number(setting, handle, option.rawValue, value)
    }

    func set(_ option: PointerOption, _ value: UnsafeRawPointer?, of handle: Handle) {
      _ = larder_curl_set_pointer(setting, handle, option.rawValue, value)
    }

    func set(_ option: ReceiverOption, _ receiver: larder_curl_receiver, of handle: Handle) {
      _ = larder_curl_set_receiver(setting, handle, option.rawValue, receiver)
    }

    func setWatcher(_ watcher: larder_curl_watcher, of handle: Handle) {
      // 20219 is CURLOPT_XFERINFOFUNCTION.
      _ = larder_curl_set_watcher(setting, handle, 20_219, watcher)
    }

    /// Returns the status of the last answer.
    func status(of handle: Handle) -> Int {
      var status = 0
      // 0x200002 is CURLINFO_RESPONSE_CODE.
      _ = larder_curl_get_number(fact, handle, 0x200002, &status)
      return status
    }
  }

  extension Transport {
    /// A transport by libcurl.
    ///
    /// Foundation's URLSession uses libcurl too. But it crashes the program if a cancelled request
    /// ends at the same time or an answer ends within its headers, waits forever on a 401 with a
    /// password challenge, and does not support IPv6 addresses (Swift 6.3).
    static func curl(seconds: Int) -> Transport {
      let connections = CurlConnections()
      return Transport { request throws(TransportError) in
        let exchange = CurlExchange(request, seconds: seconds)
        let result = await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            connections.queue.async {
              continuation.resume(returning: connections.run(exchange))
            }
          }
        } onCancel: {
          exchange.cancel()
        }
        return try result.get()
      }
    }
  }

  /// A pool of libcurl handles with their open connections.
  private final class CurlConnections: Sendable {
    let queue = DispatchQueue(label: "larder.cloud", attributes: .concurrent)
    private let idle = Mutex<[Handle]>([])

    struct Handle: @unchecked Sendable {
      let pointer: Curl.Handle
    }

    deinit {
      idle.withLock { handles in
        for handle in handles { Curl.shared?.free(handle.pointer) }
      }
    }

    func run(_ exchange: CurlExchange) -> Result<CloudResponse, TransportError> {
      guard let curl = Curl.shared,
        let handle = idle.withLock({ $0.popLast() }) ?? curl.make().map(Handle.init)
      else { return .failure(.other(host: "", detail: "libcurl is not installed")) }
      defer { putBack(handle, curl) }
      return Result { () throws(TransportError) in try exchange.run(curl, on: handle.pointer) }
    }

    /// Returns a handle to the pool, which keeps a few.
    private func putBack(_ handle: Handle, _ curl: Curl) {
      let isKept = idle.withLock { handles in
        guard handles.count < 8 else { return false }
        handles.append(handle)
        return true
      }
      if !isKept { curl.free(handle.pointer) }
    }
  }
#endif
