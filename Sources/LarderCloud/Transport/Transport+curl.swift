#if !canImport(Darwin)
  internal import Dispatch
  internal import Synchronization

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
