#if !canImport(Darwin)
  internal import Libc
  internal import Synchronization

  /// One request through libcurl, and its answer so far.
  final class CurlExchange: Sendable {
    private struct Answer {
      var headers: Headers = [:]
      var body: [UInt8] = []
      var isHeaderWhole = false
    }

    private let request: CloudRequest
    private let seconds: Int
    private let answer = Mutex(Answer())
    private let cancelled = Atomic(false)

    init(_ request: CloudRequest, seconds: Int) {
      self.request = request
      self.seconds = seconds
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Blocks until the answer is complete; the handle may have an open connection from before.
    func run(_ curl: Curl, on handle: Curl.Handle) throws(TransportError) -> CloudResponse {
      configure(curl, handle)
      // The pointers in the handle are invalid after this; its connections stay.
      defer { curl.reset(handle) }
      let fields = fieldList(curl)
      defer { curl.freeList(fields) }
      curl.set(.httpHeader, fields, of: handle)
      var remark = ""
      let code = perform(curl, handle, &remark)
      // An answer that is too long is not read to its end: 23 is the error of our own refusal.
      guard code == 0 || code == 23 && isTooLong else { throw failure(code, remark, curl) }
      let status = curl.status(of: handle)
      return try answer.withLock { answer throws(TransportError) in
        // libcurl reports no error if an answer ends within its headers.
        guard answer.isHeaderWhole else { throw .connectionLost(host: host) }
        return CloudResponse(status: status, headers: answer.headers, body: answer.body)
      }
    }

    private var host: String { URLText.host(of: request.url) ?? "" }

    private func configure(_ curl: Curl, _ handle: Curl.Handle) {
      let this = Unmanaged.passUnretained(self).toOpaque()
      curl.set(.noSignal, 1, of: handle)
      // 3 is HTTP and HTTPS.
      curl.set(.protocols, 3, of: handle)
      curl.set(.connectTimeoutMilliseconds, seconds * 1000, of: handle)
      curl.set(.lowSpeedLimit, 1, of: handle)
      curl.set(.lowSpeedTime, seconds, of: handle)
      curl.set(.noProgress, 0, of: handle)
      curl.set(.progressData, this, of: handle)
      curl.setWatcher(watch, of: handle)
      curl.set(.headerData, this, of: handle)
      curl.set(.header, takeHeader, of: handle)
      curl.set(.writeData, this, of: handle)
      curl.set(.write, takeBody, of: handle)
      // Plain HTTP stays on this machine: its keys must not go to a proxy.
      if request.url.hasPrefix("http:") { "".withCString { curl.set(.proxy, $0, of: handle) } }
      "".withCString { curl.set(.acceptEncoding, $0, of: handle) }
      request.url.withCString { curl.set(.url, $0, of: handle) }
      request.method.rawValue.withCString { curl.set(.customRequest, $0, of: handle) }
    }

    private func fieldList(_ curl: Curl) -> Curl.Handle? {
      // Without this, libcurl waits a second before it sends a long body.
      var list = curl.append(nil, "Expect:")
      for (name, value) in request.headers.fields {
        // A header without a value is written with a semicolon.
        list = curl.append(list, value.isEmpty ? "\(name);" : "\(name): \(value)") ?? list
      }
      return list
    }

    /// Performs the request.
    ///
    /// The body stays in place, so that libcurl can send it again on a new connection if an old one
    /// was closed.
    private func perform(_ curl: Curl, _ handle: Curl.Handle, _ remark: inout String) -> Int32 {
      // The size is CURL_ERROR_SIZE.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        buffer.initialize(repeating: 0)
        curl.set(.errorBuffer, buffer.baseAddress, of: handle)
        defer { remark = buffer.baseAddress.map { String(cString: $0) } ?? "" }
        guard let body = request.body else { return curl.perform(handle) }
        return body.withUnsafeBytes { bytes in
          curl.set(.post, 1, of: handle)
          curl.set(.postFieldSize, bytes.count, of: handle)
          return "".withCString { empty in
            curl.set(.postFields, bytes.baseAddress ?? UnsafeRawPointer(empty), of: handle)
            return curl.perform(handle)
          }
        }
      }
    }

    /// Returns the error for a CURLcode.
    private func failure(_ code: Int32, _ remark: String, _ curl: Curl) -> TransportError {
      let detail = curl.message(code).map { String(cString: $0) } ?? "libcurl's error \(code)"
      switch code {
      case 5, 6: return .unresolved(host: host)
      case 7: return .unreachable(host: host)
      case 16, 18, 52, 55, 56, 92, 95: return .connectionLost(host: host)
      case 28: return .timedOut(host: host)
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91:
        // Only here the remark says more, namely what is not trusted, and nothing about the
        // request.
        return .insecure(host: host, detail: remark.isEmpty ? detail : remark)
      case 42: return .cancelled
      default: return .other(host: host, detail: detail)
      }
    }

    fileprivate func take(header bytes: UnsafeRawBufferPointer) {
      let line = String(decoding: bytes, as: UTF8.self)
      let text = line.prefix { !$0.isNewline }
      answer.withLock { answer in
        if text.hasPrefix("HTTP/") {
          answer = Answer()
        } else if text.isEmpty {
          answer.isHeaderWhole = true
        } else if let colon = text.firstIndex(of: ":"), !answer.isHeaderWhole {
          answer.headers.add(
            String(text[..<colon]),
            text[text.index(after: colon)...].trimming(while: { $0 == " " || $0 == "\t" }))
        }
      }
    }

    /// Takes a part of the body; returns false if the body is too long.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
      answer.withLock { answer in
        answer.body.append(contentsOf: bytes)
        return answer.body.count <= CloudResponse.largestBody
      }
    }

    private var isTooLong: Bool { answer.withLock { $0.body.count > CloudResponse.largestBody } }

    fileprivate var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    fileprivate static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlExchange? {
      pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func takeHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ exchange: UnsafeMutableRawPointer?
  ) -> Int {
    CurlExchange.of(exchange)?.take(header: .init(start: bytes, count: size * count))
    return size * count
  }

  private func takeBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ exchange: UnsafeMutableRawPointer?
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlExchange.of(exchange)?.take(body: bytes) ?? false ? size * count : 0
  }

  private func watch(
    _ exchange: UnsafeMutableRawPointer?, _: Int64, _: Int64, _: Int64, _: Int64
  ) -> Int32 {
    CurlExchange.of(exchange)?.isCancelled ?? true ? 1 : 0
  }

  extension Substring {
    fileprivate func trimming(while isBlank: (Character) -> Bool) -> String {
      var text = drop(while: isBlank)
      while let last = text.last, isBlank(last) { text.removeLast() }
      return String(text)
    }
  }
#endif
