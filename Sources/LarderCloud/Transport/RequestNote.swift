/// What there is to tell of a request without a secret and without anybody's data.
public struct RequestNote: Sendable {
  public let method: CloudRequest.Method
  /// The address behind the host, without the query: which table or function it was about.
  public let path: String
  /// The status of the answer, and how many bytes it had; nil where there was none.
  public let answer: (status: Int, bytes: Int)?
  /// Why there was none.
  public let error: TransportError?
  public let duration: Duration
}

extension Transport {
  /// The same transport, which tells of each request once it is over.
  public func telling(_ tell: @escaping @Sendable (RequestNote) -> Void) -> Transport {
    Transport { request throws(TransportError) in
      let began = ContinuousClock.now
      func note(_ answer: CloudResponse?, _ error: TransportError?) {
        tell(
          RequestNote(
            method: request.method, path: request.path,
            answer: answer.map { ($0.status, $0.body.count) }, error: error,
            duration: .now - began))
      }
      do throws(TransportError) {
        let answer = try await send(request)
        note(answer, nil)
        return answer
      } catch {
        note(nil, error)
        throw error
      }
    }
  }
}

extension CloudRequest {
  fileprivate var path: String {
    let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
    return String(rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
  }
}
