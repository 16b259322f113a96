import Foundation
import TestSupport
import Testing

@testable import LarderCLI

/// What a household that stays local sends, whatever is asked of it: nothing.
@Suite("A household that stays local")
struct CloudLocalOnlyTests {
  /// A line for each verb of `larder cloud`; all but the first ones would send something.
  private static let lines = [
    "status": ["cloud status", "cloud"], "connect": ["cloud connect URL --anon-key-file ../key"],
    "auto": ["cloud auto"],
    "login": ["cloud login EMAIL --password-stdin", "cloud login EMAIL --code 123456"],
    "logout": ["cloud logout"], "disconnect": ["cloud disconnect --leave --yes"],
    "push": ["cloud push"], "pull": ["cloud pull", "cloud pull --expiring 9 --again"],
    "retry": ["cloud retry"], "invite": ["cloud invite", "cloud invite --hours 2"],
    "join": ["cloud join --yes --invite 2345-6789"], "members": ["cloud members"],
    "remove": ["cloud remove other@example.org"], "invites": ["cloud invites"],
    "revoke": ["cloud revoke 12345678"], "password": ["cloud password --password-stdin"],
    "reset": ["cloud reset EMAIL"], "delete-account": ["cloud delete-account --yes"],
  ]
  private static let silent = ["status", "connect", "auto"]

  @Test("no verb of the cloud, sync, watch or command connects to anything, and nothing is undone")
  func sendsNothing() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let server = try WebServer { _ in .answer(200, "[]") }
    try laptop.move(to: server.url)
    try laptop.prepare("config localOnly yes", "config autoSync yes")
    let verbs = CloudCommand.command.subcommands.map(\.name)
    #expect(Set(verbs) == Set(Self.lines.keys), "a verb lacks its line")
    let files = try laptop.larder.folder.read("home/.config/larder/credentials.json")
    for verb in verbs {
      for line in Self.lines[verb] ?? [] {
        let typed = line.replacing("URL", with: server.url).replacing("EMAIL", with: laptop.email)
        let outcome = try laptop(typed, input: CloudDevice.password + "\n")
        if Self.silent.contains(verb) {
          #expect(outcome.code == 0, "\(line): \(outcome.errors)")
        } else {
          #expect(outcome.code == 4, "\(line)")
          #expect(outcome.errors.hasPrefix("error: this clone leaves the cloud alone"), "\(line)")
          #expect(outcome.errors.contains("hint: 'larder config localOnly no' ends that"))
        }
        #expect(server.connections == 0, "\(line)")
      }
    }
    #expect(try laptop.larder.folder.read("home/.config/larder/credentials.json") == files)
    #expect(try laptop.git("config", "larder.cloudUrl").hasPrefix(server.url))

    try laptop.prepare("stock use Milk 1", "status", "stock --sync")
    #expect(try laptop("stock show Unheard-of").code == 3)
    for line in ["sync", "sync --all", "sync --dry-run"] {
      #expect(try laptop(line).errors.contains("error: "), "there is nothing else to sync with")
    }
    let watch = try laptop.larder.start("watch", "--every", "1s", in: "nest")
    try laptop.larder.folder.write(#"{ "name": "Tea" }"#, to: "nest/stock/tea.json")
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end, try laptop.git("log", "--format=%s").contains("Tea") == false {
      Thread.sleep(forTimeInterval: 0.2)
    }
    Thread.sleep(forTimeInterval: 2)
    #expect(watch.end() == 0)
    #expect(try !laptop("status").output.contains("synced with"))
    #expect(server.connections == 0)

    try laptop.prepare("config localOnly no")
    _ = try laptop("cloud reset \(laptop.email)")
    #expect(server.connections > 0)
  }
}
