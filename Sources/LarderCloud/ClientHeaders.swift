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
