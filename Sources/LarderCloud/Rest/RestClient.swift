public import LarderModel
internal import LarderText

/// A client for the tables and functions of a project, through PostgREST, for the signed-in user.
///
/// Temporary failures are retried by the policy. A refused token is refreshed once. Methods throw
/// ``CloudError``.
public struct RestClient: Sendable {
  public let session: Session
  private let transport: Transport
  private let retries: RetryPolicy
  private let version: String
  private let now: @Sendable () -> Instant

  /// Creates a client; `version` is the program's, for the headers.
  public init(
    session: Session, transport: Transport, retries: RetryPolicy = RetryPolicy(), version: String,
    now: @escaping @Sendable () -> Instant
  ) {
    self.session = session
    self.transport = transport
    self.retries = retries
    self.version = version
    self.now = now
  }

  /// Returns the rows of a table that match all conditions.
  public func select(_ table: String, _ query: [QueryItem]) async throws(CloudError) -> [JSON] {
    try await rows(.get, URLText.encoded(table) + QueryItem.text(query))
  }

  /// Writes rows of a table, new or matched by the columns of a key, and returns them as stored.
  ///
  /// Only the named columns are written. Missing ones get their defaults. If two rows have the same
  /// key, it is `rejected` with the code `21000`. Rows that the table's triggers skip are not in
  /// the answer.
  public func upsert(
    _ table: String, _ rows: [JSON], columns: [String], onConflict key: [String]
  ) async throws(CloudError) -> [JSON] {
    let query = [
      QueryItem(name: "on_conflict", value: key.joined(separator: ",")),
      QueryItem(name: "columns", value: columns.map(quoted).joined(separator: ",")),
    ]
    return try await self.rows(
      .post, URLText.encoded(table) + QueryItem.text(query), body: .array(rows),
      prefer: "resolution=merge-duplicates,return=representation,missing=default")
  }

  /// Calls a function with named arguments.
  ///
  /// Returns its result, or null if it has none.
  ///
  /// The call may be repeated if an answer is lost.
  public func call(_ function: String, _ arguments: [JSONMember] = []) async throws(CloudError)
    -> JSON
  {
    try await json(.post, "rpc/" + URLText.encoded(function), body: .object(arguments))
  }

  private func quoted(_ column: String) -> String { "\"\(column)\"" }

  private func rows(
    _ method: CloudRequest.Method, _ path: String, body: JSON? = nil, prefer: String? = nil
  ) async throws(CloudError) -> [JSON] {
    guard let rows = try await json(method, path, body: body, prefer: prefer).array else {
      throw .malformedAnswer(.expected("an array"))
    }
    return rows
  }

  private func json(
    _ method: CloudRequest.Method, _ path: String, body: JSON? = nil, prefer: String? = nil
  ) async throws(CloudError) -> JSON {
    var request = CloudRequest(
      method, "\(session.project.url)/rest/v1/\(path)", body: body?.compact())
    request.headers["Prefer"] = prefer
    let complete = request
    let response = try await retries.run { () throws(CloudError) in
      try await self.answer(to: complete)
    }
    return response.body.isEmpty ? .null : try JSON(answer: response)
  }

  /// Sends a request with a valid token.
  ///
  /// If the server refuses it, sends it once more with the next token.
  private func answer(to request: CloudRequest) async throws(CloudError) -> CloudResponse {
    let token = try await session.accessToken()
    let response = try await send(request, token)
    guard response.status == 401 else { return try success(response, token) }
    // Another 401 means that the server's key changed and no token is valid.
    let next = try await session.accessToken(insteadOf: token)
    return try success(try await send(request, next), next)
  }

  private func send(_ request: CloudRequest, _ token: Secret) async throws(CloudError)
    -> CloudResponse
  {
    var request = request
    for (name, value) in session.project.headers(version: version, token: token).fields {
      request.headers[name] = value
    }
    do throws(TransportError) {
      return try await transport.send(request)
    } catch {
      throw CloudError(error)
    }
  }

  private func success(_ response: CloudResponse, _ token: Secret) throws(CloudError)
    -> CloudResponse
  {
    guard (200..<300).contains(response.status) else {
      throw CloudError(rest: response, now: now(), hiding: [token, session.project.key])
    }
    return response
  }
}

extension CloudProject {
  /// Returns the headers of every request: the key, the client, and the protocol version.
  ///
  /// `X-Larder-Client` tells the database that the writer supports stamps and ledgers. The other
  /// headers are Supabase's.
  func headers(version: String, token: Secret? = nil) -> Headers {
    [
      "apikey": key.text,
      "Authorization": "Bearer \((token ?? key).text)",
      "X-Larder-Client": "larder/\(version)",
      "X-Client-Info": "larder/\(version)",
      "User-Agent": "larder/\(version)",
      "X-Supabase-Api-Version": "2024-01-01",
      "Accept": "application/json",
      "Content-Type": "application/json",
    ]
  }
}

/// A part of a request's query, in PostgREST's syntax.
///
/// Values are escaped (PostgREST, "Tables and Views").
public struct QueryItem: Sendable, Hashable {
  let name: String
  let value: String

  /// Selects rows whose column has a value.
  public static func equal(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "eq.\(value)")
  }

  /// Selects rows whose column has a greater value, in the column's order.
  public static func greater(_ column: String, than value: String) -> QueryItem {
    QueryItem(name: column, value: "gt.\(value)")
  }

  /// Selects rows whose column has this or a smaller value, in the column's order.
  public static func atMost(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "lte.\(value)")
  }

  /// Selects rows whose column has one of some values.
  ///
  /// Commas and parentheses are special in a list, so each value is quoted.
  public static func oneOf(_ column: String, _ values: [String]) -> QueryItem {
    let quoted = values.map { value in
      "\"" + value.replacing(["\\": "\\\\", "\"": "\\\""]) + "\""
    }
    return QueryItem(name: column, value: "in.(\(quoted.joined(separator: ",")))")
  }

  /// Selects these columns only.
  public static func columns(_ names: [String]) -> QueryItem {
    QueryItem(name: "select", value: names.joined(separator: ","))
  }

  /// Orders rows by a column, the smallest first.
  public static func ascending(_ column: String) -> QueryItem {
    QueryItem(name: "order", value: "\(column).asc")
  }

  /// Limits the number of rows; the server may return fewer without saying so.
  public static func limit(_ rows: Int) -> QueryItem {
    QueryItem(name: "limit", value: String(rows))
  }

  /// Returns the query of an address with its question mark, or an empty text without items.
  static func text(_ items: [QueryItem]) -> String {
    items.isEmpty
      ? ""
      : "?"
        + items.map { "\(URLText.encoded($0.name))=\(URLText.encoded($0.value))" }
        .joined(separator: "&")
  }
}
