/// The loggable facts of a request, without secrets and personal data.
public struct RequestNote: Sendable {
  public let method: CloudRequest.Method
  /// The address after the host, without the query: it shows the table or function.
  public let path: String
  /// The status and size of the answer; nil if there was none.
  public let answer: (status: Int, bytes: Int)?
  /// The reason why there was no answer.
  public let error: TransportError?
  public let duration: Duration
}

extension Transport {
  /// Returns a transport that also reports each request when it is complete.
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
