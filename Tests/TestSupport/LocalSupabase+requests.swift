public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension LocalSupabase {
  public struct Answer: Sendable {
    public let status: Int
    public let body: Data

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The rows of the answer; empty if it has another form.
    public var rows: [[String: Any]] {
      (try? JSONSerialization.jsonObject(with: body)) as? [[String: Any]] ?? []
    }

    /// The object of the answer; empty if it has another form.
    public var object: [String: Any] {
      (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }
  }

  /// Sends a request as a program other than Larder would, for the user of a token.
  @discardableResult
  public func request(
    _ method: String, _ path: String, _ body: Any? = nil, token: String? = nil,
    headers: [String: String] = [:]
  ) throws -> Answer {
    guard let address = URL(string: url + path) else { throw URLError(.badURL) }
    var request = URLRequest(url: address, timeoutInterval: 60)
    request.httpMethod = method
    request.setValue(anonKey, forHTTPHeaderField: "apikey")
    request.setValue("Bearer \(token ?? anonKey)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
    let received = Received()
    URLSession.shared.dataTask(with: request) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode
      received.put(
        status.map { .success(Answer(status: $0, body: data ?? Data())) }
          ?? .failure(error ?? URLError(.unknown)))
    }.resume()
    return try received.wait()
  }

  /// Makes requests fail that have a text in their address, body or token.
  public func fail(
    _ about: String, _ action: [String: Any], _ match: [String: Any] = [:]
  ) throws {
    let match = match.merging(["about": about]) { $1 }
    let answer = try request("POST", "/_local/faults", [["match": match, "action": action]])
    guard answer.status == 200 else { throw NotStarted() }
  }

  /// Ends the failures for a text, and returns the number of requests that the rule matched.
  @discardableResult
  public func mend(_ about: String) throws -> Int {
    let rules = try rules(about)
    try request("DELETE", "/_local/faults?about=\(about)")
    return rules.compactMap { $0["seen"] as? Int }.max() ?? 0
  }

  /// Returns the number of requests that a rule for a text made fail.
  public func failures(_ about: String) throws -> Int {
    try rules(about).compactMap { $0["fired"] as? Int }.reduce(0, +)
  }

  private func rules(_ about: String) throws -> [[String: Any]] {
    let all = try request("GET", "/_local/faults").object["rules"] as? [[String: Any]] ?? []
    return all.filter { ($0["match"] as? [String: Any])?["about"] as? String == about }
  }
}

/// The result of a request, for a waiting thread.
private final class Received: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<LocalSupabase.Answer, any Error> = .failure(URLError(.unknown))

  func put(_ result: Result<LocalSupabase.Answer, any Error>) {
    self.result = result
    done.signal()
  }

  func wait() throws -> LocalSupabase.Answer {
    done.wait()
    return try result.get()
  }
}
