import Foundation
import LarderCloud
import LarderJSON
import LarderModel
import TestSupport
import Testing
import Libc

@Suite("The credentials file")
struct CredentialsTests {
  @Test("it is where the user's configuration is")
  func place() throws {
    func path(_ environment: [String: String]) throws -> String {
      try CredentialsFile(environment: environment).path
    }
    let inHome = "/home/ada/.config/larder/credentials.json"
    #expect(
      try path(["XDG_CONFIG_HOME": "/c", "HOME": "/home/ada"]) == "/c/larder/credentials.json")
    #expect(try path(["XDG_CONFIG_HOME": "", "HOME": "/home/ada"]) == inHome)
    #expect(try path(["XDG_CONFIG_HOME": "c", "HOME": "/home/ada"]) == inHome)
    #expect(throws: CredentialsError.self) { try CredentialsFile(environment: ["HOME": "x"]) }
  }

  @Test("only the user may read it, and the folders that are made for it")
  func rights() async throws {
    let device = try Device()
    let deep = CredentialsFile(folder: device.folder("a/b/larder"))
    let session = Session(
      project: device.project, file: deep, transport: device.transport, version: "1",
      now: { [clock = device.clock] in clock.now })
    try await session.connect()
    for name in ["a", "a/b", "a/b/larder"] {
      #expect(try mode(device.folder(name)) == 0o700, "\(name)")
    }
    #expect(try mode(deep.path) == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: device.folder("a/b/larder"))
    #expect(names.sorted() == ["credentials.json", "credentials.lock"])
  }

  private func mode(_ path: String) throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("what is kept comes back, beside other projects and keys that nobody knows")
  func unknownKeys() async throws {
    let device = try Device()
    try device.folder.write(
      """
      {"note":"mine","projects":{"https://other.example":{"anonKey":"o","x":1.50},
      "http://127.0.0.1:1":{"color":"red","anonKey":"old"}}}
      """, to: "larder/credentials.json")
    chmod(device.file.path, 0o600)
    _ = try await device.signedIn()
    #expect(
      device.kept == """
        {
          "note": "mine",
          "projects": {
            "https://other.example": {
              "anonKey": "o",
              "x": 1.50
            },
            "http://127.0.0.1:1": {
              "color": "red",
              "anonKey": "anon-KEY-anon",
              "user": "u-1",
              "users": {
                "u-1": {
                  "email": "ada@example.org",
                  "accessToken": "access-TOKEN-1",
                  "refreshToken": "refresh-TOKEN-1",
                  "expiresAt": "2026-11-18T12:06:40.000Z"
                }
              }
            }
          }
        }

        """)
    #expect(try device.file.projects() == ["http://127.0.0.1:1", "https://other.example"])
    let session = device.session()
    try await session.signOut()
    #expect(!device.kept.contains("TOKEN"))
    #expect(try session.credentials()?.email == "ada@example.org")
    #expect(try session.credentials()?.anonKey == Secret(Cloud.anonKey))
    try await session.disconnect()
    #expect(try device.file.projects() == ["https://other.example"])
  }

  @Test("a file of an older larder, with one account a project, is read and taken over as it is")
  func older() async throws {
    let device = try Device()
    try device.folder.write(
      """
      {"projects":{"http://127.0.0.1:1":{"anonKey":"anon-KEY-anon","email":"ada@example.org",
      "userId":"u-1","accessToken":"access-TOKEN-1","refreshToken":"refresh-TOKEN-1",
      "expiresAt":"2026-11-18T12:06:40.000Z","x":1}}}
      """, to: "larder/credentials.json")
    chmod(device.file.path, 0o600)
    for account in [nil, "u-1"] {
      let known = try device.file.read(device.project.url, account: account)
      #expect(known?.userID == "u-1" && known?.email == "ada@example.org")
      #expect(known?.tokens?.access == Secret("access-TOKEN-1"))
    }
    #expect(try device.file.read(device.project.url, account: "u-2")?.tokens == nil)
    #expect(try await device.session().accessToken() == Secret("access-TOKEN-1"))
    // What is written is of the new form, with the same account.
    let other = Session(
      project: device.project, file: device.file, account: "u-2", transport: device.transport,
      version: "1", now: { [clock = device.clock] in clock.now })
    await #expect(throws: CloudError.self) { try await other.accessToken() }
    device.cloud.userID = "u-2"
    try await other.signIn(email: "bob@example.org", password: Secret(Cloud.password))
    #expect(try device.file.accounts(device.project.url) == ["u-1", "u-2"])
    #expect(try await device.session().accessToken() == Secret("access-TOKEN-1"))
    #expect(try other.credentials()?.userID == "u-2")
    #expect(device.kept.contains(#""user": "u-1""#) && device.kept.contains(#""x": 1"#))
    try await other.signOut()
    #expect(try await device.session().accessToken() == Secret("access-TOKEN-1"))
    try await other.disconnect()
    #expect(try device.file.accounts(device.project.url) == ["u-1"])
  }

  @Test(
    "a damaged file is told of with its place and never written over",
    arguments: [
      ("{\n  \"projects\": {,}\n}", 2, 16), ("", 1, 1), ("[]", 1, 1),
      ("{\n  \"projects\": 1 }", 2, 15),
      ("{\"projects\":{\n\"http://127.0.0.1:1\": [] } }", 2, 23),
      ("{\"projects\":{\n\"http://127.0.0.1:1\": {} } }", 2, 23),
      ("{\"projects\":{\n\"http://127.0.0.1:1\": {\"anonKey\": 1} } }", 2, 35),
      (
        "{\"projects\":{\n\"http://127.0.0.1:1\": {\"anonKey\": \"k\", \"accessToken\": \"a\",\n"
          + "\"refreshToken\": \"r\", \"expiresAt\": \"soon\"} } }", 3, 35
      ),
    ])
  func damaged(_ text: String, _ line: Int, _ column: Int) async throws {
    let device = try Device()
    try device.folder.write(text, to: "larder/credentials.json")
    chmod(device.file.path, 0o600)
    let session = device.session()
    let error = await #expect(throws: CloudError.self) { try await session.connect() }
    switch error {
    case .credentials(.unreadable(device.file.path, let position)),
      .credentials(.malformed(device.file.path, let position, _)):
      #expect(position.line == line && position.column == column, "\(position)")
    default: Issue.record("\(error as Any)")
    }
    #expect(device.kept == text)
  }

  @Test("a file that others can read, a folder that they can write, and a link are refused")
  func exposed() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    let path = device.file.path
    for mode: mode_t in [0o640, 0o604, 0o660, 0o644] {
      chmod(path, mode)
      guard case .exposed(path, UInt32(mode)) = failure(device) else {
        Issue.record("\(mode)")
        continue
      }
    }
    await #expect(throws: CloudError.self) { try await session.accessToken() }
    chmod(path, 0o600)
    chmod(device.folder("larder"), 0o755)
    #expect(failure(device) == nil)
    chmod(device.folder("larder"), 0o770)
    guard case .exposed(device.folder("larder"), 0o770) = failure(device) else {
      Issue.record("\(failure(device) as Any)")
      return
    }
    chmod(device.folder("larder"), 0o700)
    try FileManager.default.moveItem(atPath: path, toPath: device.folder("shared.json"))
    symlink(device.folder("shared.json"), path)
    guard case .notAFile(path) = failure(device) else {
      Issue.record("\(failure(device) as Any)")
      return
    }
    await #expect(throws: CloudError.self) { try await session.connect() }
    #expect(try device.folder.read("shared.json").contains("refresh-TOKEN-1"))
  }

  private func failure(_ device: Device) -> CredentialsError? {
    do {
      _ = try device.file.read(device.project.url)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "a folder that may not be written is told of, and nothing is lost", .enabled(if: geteuid() != 0)
  )
  func readOnly() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    let before = device.kept
    chmod(device.folder("larder"), 0o500)
    defer { chmod(device.folder("larder"), 0o700) }
    await #expect(throws: CloudError.self) { try await session.signOut() }
    #expect(device.kept == before)
  }
}
