import Foundation
import LarderCloud
import Testing

@Suite("A project's address and key")
struct CloudProjectTests {
  @Test(
    "an address is taken in every spelling",
    arguments: [
      ("https://abc.supabase.co", "https://abc.supabase.co"),
      (" HTTPS://ABC.supabase.co:443// \n", "https://abc.supabase.co"),
      ("https://abc.supabase.co/rest/v1/", "https://abc.supabase.co"),
      ("https://home.example:8443/supabase/rest/v1", "https://home.example:8443/supabase"),
      ("http://localhost:54321", "http://localhost:54321"),
      ("http://127.8.9.10/", "http://127.8.9.10"),
      ("http://[::1]:80", "http://[::1]"),
    ])
  func spellings(_ typed: String, _ url: String) throws {
    #expect(try CloudProject(url: typed, key: "k").url == url)
  }

  @Test(
    "an address that is not safe, or none, is refused",
    arguments: [
      ("", .noAddress), ("abc", .noAddress), ("https://", .noAddress), ("https:///x", .noAddress),
      ("https://a:99999", .noAddress), ("ftp://abc", .unknownScheme("ftp")),
      ("http://abc.supabase.co", .notSecure(host: "abc.supabase.co")),
      ("http://127.0.0.1.example", .notSecure(host: "127.0.0.1.example")),
      ("http://127.0.0.256", .notSecure(host: "127.0.0.256")),
      ("http://0127.0.0.1", .notSecure(host: "0127.0.0.1")),
      ("http://localhost.example", .notSecure(host: "localhost.example")),
      ("http://[::2]", .notSecure(host: "[::2]")),
      ("https://ada:word@abc.co", .namesUser(host: "abc.co")),
      ("https://abc.co?x=1", .hasQuery(host: "abc.co")),
      ("https://abc.co#x", .hasQuery(host: "abc.co")),
    ] as [(String, CloudProjectError)])
  func refused(_ typed: String, _ error: CloudProjectError) {
    #expect(throws: error) { try CloudProject(url: typed, key: "k") }
  }

  @Test("a key that is none, or that no device may have, is refused")
  func keys() throws {
    let role = { (role: String) in
      let payload = Data(#"{"role":"\#(role)","iss":"supabase~~~"}"#.utf8).base64EncodedString()
        .replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
      return "eyJhbGciOiJIUzI1NiJ9.\(payload).c2ln"
    }
    let url = "https://abc.supabase.co"
    #expect(throws: CloudProjectError.badKey) { try CloudProject(url: url, key: " ") }
    #expect(throws: CloudProjectError.badKey) { try CloudProject(url: url, key: "a\r\nX: y") }
    #expect(throws: CloudProjectError.badKey) { try CloudProject(url: url, key: "schlüssel") }
    #expect(throws: CloudProjectError.secretKey) {
      try CloudProject(url: url, key: "sb_secret_abc")
    }
    #expect(throws: CloudProjectError.secretKey) {
      try CloudProject(url: url, key: role("service_role"))
    }
    #expect(try CloudProject(url: url, key: "\(role("anon"))\n").key == Secret(role("anon")))
    #expect(try CloudProject(url: url, key: "sb_publishable_x").key == Secret("sb_publishable_x"))
  }
}
