#if canImport(Darwin)
  internal import Foundation
  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  extension Transport {
    /// A transport by URLSession, which follows the settings of Apple's systems.
    static func urlSession(seconds: Int) -> Transport {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = Double(seconds)
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      let connections = SessionConnections(configuration)
      return Transport { request throws(TransportError) in try await connections.send(request) }
    }
  }

  private final class SessionConnections: Sendable {
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) {
      // A task's own delegate is not asked about redirects on all systems; the session's is.
      session = URLSession(
        configuration: configuration, delegate: StayingDelegate(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: CloudRequest) async throws(TransportError) -> CloudResponse {
      let host = URLText.host(of: request.url) ?? ""
      guard let url = URL(string: request.url) else {
        throw .other(host: host, detail: "this is no address")
      }
      var message = URLRequest(url: url)
      message.httpMethod = request.method.rawValue
      message.httpBody = request.body.map { Data($0) }
      for (name, value) in request.headers.fields {
        message.addValue(value, forHTTPHeaderField: name)
      }
      do {
        let (data, answer) = try await session.data(for: message)
        return try response(data, answer, host)
      } catch let error as TransportError {
        throw error
      } catch {
        throw failure(error, host)
      }
    }

    private func response(_ data: Data, _ answer: URLResponse, _ host: String)
      throws(TransportError) -> CloudResponse
    {
      guard let answer = answer as? HTTPURLResponse else {
        throw .other(host: host, detail: "this is no answer of HTTP")
      }
      var response = CloudResponse(status: answer.statusCode, body: Array(data))
      for case (let name as String, let value as String) in answer.allHeaderFields {
        response.headers.add(name, value)
      }
      // Some versions treat an answer that ended early as complete. The length of a compressed
      // answer proves nothing.
      if response.headers["Content-Encoding"] == nil,
        let length = response.headers["Content-Length"].flatMap({ Int($0) }),
        length > data.count, !response.isEmptyByItsStatus
      {
        throw .connectionLost(host: host)
      }
      return response
    }

    private func failure(_ error: any Error, _ host: String) -> TransportError {
      guard let code = (error as? URLError)?.code else {
        return error is CancellationError ? .cancelled : .other(host: host, detail: "no reason")
      }
      return switch code {
      case .cannotFindHost, .dnsLookupFailed: .unresolved(host: host)
      case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed,
        .internationalRoamingOff:
        .unreachable(host: host)
      case .timedOut: .timedOut(host: host)
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse:
        .connectionLost(host: host)
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection:
        .insecure(host: host, detail: "URLSession's error \(code.rawValue)")
      case .cancelled: .cancelled
      default: .other(host: host, detail: "URLSession's error \(code.rawValue)")
      }
    }
  }

  extension CloudResponse {
    fileprivate var isEmptyByItsStatus: Bool { status == 204 || status == 304 }
  }

  /// A delegate that follows no redirects and answers no password challenges.
  private final class StayingDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let asksForPassword = [
        NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      ].contains(challenge.protectionSpace.authenticationMethod)
      completionHandler(asksForPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }
  }
#endif
