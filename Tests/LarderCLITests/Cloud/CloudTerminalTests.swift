import Foundation
import TestSupport
import Testing

/// What the cloud's commands ask somebody at a real terminal.
@Suite("The cloud at a terminal")
struct CloudTerminalTests {
  @Test("who joins by an invitation is asked for all that is missing, each on a line of its own")
  func joining() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let hint = try mira("cloud invite")
    #expect(hint.errors.contains("'larder cloud join \(mira.supabase.url) --invite CODE'"))
    let code = try #require(hint.output.split(separator: "\n").first)
    let jonas = try CloudDevice(aloneOn: mira.supabase)
    let run = try jonas.larder.atTerminal(
      "cloud", "join", mira.supabase.url, "nest", "--sign-up", "--invite", String(code),
      answers: [
        ("Anon key: ", mira.supabase.anonKey), ("E-mail address: ", jonas.email),
        ("Password: ", CloudDevice.password),
      ])
    #expect(run.code == 0, "\(run.screen)")
    #expect(
      run.screen.hasPrefix(
        "Anon key: \r\nE-mail address: \(jonas.email)\r\nPassword: \r\n"), "\(run.screen)")
    #expect(!run.screen.contains(mira.supabase.anonKey))
    #expect(!run.screen.contains(CloudDevice.password))
    #expect(try jonas.total("Milk") == 9)
  }

  @Test("whose invitation it is, is asked where somebody is signed in, and a no spends nothing")
  func whose() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = try CloudDevice(on: mira.supabase)
    let code = try mira.invitation()
    let question = "Join with this invitation as \(jonas.email)? [y/N] "
    func join(_ answer: String) throws -> (code: Int32, screen: String) {
      try jonas.larder.atTerminal(
        "cloud", "join", mira.supabase.url, "other", "--invite", code,
        answers: [(question, answer)])
    }
    let no = try join("n")
    #expect(no.code == 0)
    #expect(no.screen.contains("nothing was changed"), "\(no.screen)")
    let yes = try join("y")
    #expect(yes.code == 0, "\(yes.screen)")
    #expect(try mira("cloud members --plain").output.contains(jonas.email))
  }

  @Test("Ctrl-D and an empty line are told as what they are")
  func nothing() throws {
    let device = try CloudDevice(aloneOn: LocalSupabase.shared.get())
    let key = ("Anon key: ", device.supabase.anonKey)
    let email = ("E-mail address: ", device.email)
    // The key is known from the second one on.
    for (answers, what) in [
      ([("Anon key: ", "\u{4}")], "key"), ([key, ("E-mail address: ", "\u{4}")], "e-mail address"),
      ([email, ("Password: ", "\u{4}")], "password"),
    ] {
      let run = try device.larder.atTerminal(
        "cloud", "join", device.supabase.url, answers: answers)
      #expect(run.code == 2)
      #expect(
        run.screen.contains(
          "\r\nerror: nothing was typed for the \(what)\r\nhint: the same command asks again\r\n"),
        "\(run.screen)")
    }
    let run = try device.larder.atTerminal(
      "cloud", "join", device.supabase.url, answers: [("E-mail address: ", "")])
    #expect(run.screen.contains("\r\nerror: the e-mail address is empty\r\n"), "\(run.screen)")
  }
}
