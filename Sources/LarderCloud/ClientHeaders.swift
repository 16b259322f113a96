extension CloudProject {
  /// The fields that every request has: the key, what the client is, and the version of the protocol.
  ///
  /// `X-Larder-Client` tells the database that the writer knows stamps and ledgers; the others are
  /// Supabase's own.
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
