import Foundation
import LarderKit
import TestSupport
import Testing

/// What people are told of their household and its project, in each state that the two can be in.
@Suite("The states of a household and its project")
struct CloudStatesTests {
  private let device: CloudDevice

  init() throws {
    device = try CloudDevice(aloneOn: LocalSupabase.shared.get())
    try device.start()
    try device.prepare("stock new Milk --in-stock 9")
  }

  /// Returns what the cloud's state and the household's say.
  private func told(_ state: String) throws -> String {
    var lines = "## \(state)\n"
    for line in ["cloud", "status"] {
      let outcome = try device(line)
      lines += "$ larder \(line)\n\(outcome.output)\(outcome.errors)"
      #expect(try device("\(line) --json").code == outcome.code)
    }
    let overview = try device("")
    #expect(overview.output.hasPrefix(try device("status").output), "the overview begins with it")
    return device.larder.normalized(lines)
      .replacing(device.supabase.url, with: "URL")
      .replacing("ID@example.org", with: "EMAIL")
      .replacing(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d/, with: "TIME")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/, with: "TIME") + "\n"
  }

  @Test("each is told in words that fit together")
  func all() throws {
    var states = ""
    func look(_ state: String) throws { states += try told(state) }
    try look("connected to no project")
    try device.connect()
    try look("connected, and nobody ever signed in")
    try device.signInQuietly()
    try look("signed in, and the first sync failed")
    try device.prepare("cloud pull")
    try look("only pulled")
    try device.prepare("sync")
    try look("synced")
    try device.prepare("stock use Milk 1")
    try look("something is pending")
    try device.supabase.fail(
      device.email, ["status": 400, "body": #"{"code":"23514","message":"no"}"#],
      ["method": "POST", "path": "/rest/v1/quantity_changes"])
    #expect(try device("sync").code == 1)
    try look("something was refused")
    for _ in 1..<Outbox.mostRefusals { #expect(try device("sync").code == 1) }
    try look("something is parked")
    try device.supabase.mend(device.email)
    try device.prepare("cloud retry")
    try look("sent later")

    try device.supabase.fail(device.email, ["status": 400], ["path": "/rest/v1"])
    #expect(try device("sync").code == 1)
    try look("each sync fails")
    try device.supabase.mend(device.email)
    try device.prepare("config cloudRetries 0")
    try device.supabase.fail(device.email, ["drop": "before"], ["path": "/rest/v1"])
    try device.prepare("stock use Milk 1", "sync")
    try look("out of reach")
    try device.supabase.mend(device.email)
    try device.prepare("sync", "stock use Milk 1")

    try device.prepare("config localOnly yes")
    try look("staying local")
    try device.prepare("config localOnly no", "cloud logout")
    try look("signed out")
    try device.signIn()
    let left = try device.request(
      "POST", "/rest/v1/rpc/leave", ["household": try device.household(), "delete_rows": true])
    try #require(left.status < 300, "\(left.text)")
    #expect(try device("sync").code == 4)
    try look("a member no more")
    try device.prepare("cloud disconnect")
    try look("disconnected")
    #expect(try Golden.kept("cloud-states.txt", now: states) == states)
  }

  @Test("what a sync in the background or a watch fails with is told by the next command, and once")
  func background() throws {
    try device.connect()
    try device.signIn("--sign-up")
    // The command would start a sync of its own.
    try device.git("config", "larder.autoSync", "true")
    try device.supabase.fail(device.email, ["status": 400], ["path": "/rest/v1"])
    try device.prepare("stock use Milk 1")
    let sentence = "not synced with the project since "
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end, try !device("status").output.contains(sentence) {
      Thread.sleep(forTimeInterval: 0.1)
    }
    #expect(try device("stock").errors.contains(sentence))
    #expect(try !device("stock").errors.contains(sentence))
    #expect(try device("").output.contains(sentence))
    try device.supabase.mend(device.email)
    try device.prepare("sync")
    #expect(try !device("status").output.contains(sentence))

    try device.git("config", "--unset", "larder.autoSync")
    try device.supabase.fail(device.email, ["status": 400], ["path": "/rest/v1"])
    let watch = try device.larder.start("watch", "--every", "1s", in: "nest")
    while Date() < end, try !device("status").output.contains(sentence) {
      Thread.sleep(forTimeInterval: 0.1)
    }
    #expect(try device("stock").errors.contains(sentence))
    try device.supabase.mend(device.email)
    while Date() < end, try device("status").output.contains(sentence) {
      Thread.sleep(forTimeInterval: 0.1)
    }
    #expect(watch.end() == 0)
    #expect(try !device("status").output.contains(sentence))
  }
}
