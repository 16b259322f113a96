import Foundation
import TestSupport
import Testing

/// Who may, who may not any more, and what becomes of a household that everybody leaves.
@Suite("Who belongs to a household in the cloud")
struct CloudMembersTests {
  private static func names(_ device: CloudDevice) throws -> [String] {
    try device("cloud members --json").array("members").compactMap { $0["email"] as? String }
  }

  @Test("members are seen, and one who came later is removed and keeps only the files")
  func removing() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = try mira.invite()
    let lena = try jonas.invite(name: "tablet")
    let open = [try jonas.invitation(), try mira.invitation()]
    #expect(try Self.names(mira) == [mira.email, jonas.email, lena.email])
    #expect(try mira("cloud members").output.contains(/you\n/))
    let before = try jonas("cloud remove \(mira.email)")
    #expect(before.code == 4)
    #expect(before.errors.contains("error: \(mira.email) joined before you"))

    try jonas.prepare("stock use Milk 2", "sync")
    let removed = try mira("cloud remove \(jonas.email.uppercased())")
    #expect(removed.output == "\(jonas.email) does not belong to the household any more\n")
    #expect(removed.errors.contains("all codes that were open are revoked"))
    #expect(try Self.names(mira) == [mira.email, lena.email])
    let out = try jonas("sync")
    #expect(out.code == 4)
    #expect(
      out.errors.contains("error: you do not belong to this household in the project\n"))
    #expect(try jonas.total("Milk") == 7)
    // Whoever is removed may know any code, so all go along.
    for code in open {
      #expect(try jonas("cloud join --yes --invite \(code)").code == 1)
      #expect(try CloudDevice(aloneOn: mira.supabase).join(code).code == 1)
    }
    #expect(
      try mira("cloud invites --json").array("invites").allSatisfy {
        $0["state"] as? String == "accepted"
      })
    try [mira, lena].settle()
    #expect(try lena.total("Milk") == 7)
  }

  @Test("an invitation is spent by whom it is meant for, whoever is signed in where it is accepted")
  func meantForSomebody() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = try CloudDevice(on: mira.supabase)
    let code = try mira.invitation()
    let url = mira.supabase.url
    for line in ["cloud join --invite \(code)", "cloud join \(url) ../other --invite \(code)"] {
      let unasked = try jonas(line)
      #expect(unasked.code == 2)
      #expect(
        unasked.errors.contains("and \(jonas.email) is signed in here\n"), "\(unasked.errors)")
      #expect(unasked.errors.contains("--email \(jonas.email)"))
    }
    #expect(try Self.names(mira) == [mira.email])

    // Somebody else, by the address of one who is not signed in here.
    let lena = "lena-\(jonas.email)"
    let joined = try jonas(
      "cloud join \(url) ../other --sign-up --password-stdin --email \(lena) --invite \(code)",
      input: CloudDevice.password + "\n")
    #expect(joined.code == 0, "\(joined.errors)")
    #expect(try Self.names(mira) == [mira.email, lena])

    // The one who is signed in, by name.
    let again = try jonas(
      "cloud join \(url) ../again --email \(jonas.email) --invite \(try mira.invitation())")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try Self.names(mira) == [mira.email, lena, jonas.email])
  }

  @Test("invitations are seen with what became of them, and one that is revoked is good for nobody")
  func revoking() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = try mira.invite()
    let code = try mira.invitation()
    let invites = try mira("cloud invites --json").array("invites")
    #expect(invites.compactMap { $0["state"] as? String } == ["accepted", "open"])
    #expect(invites.first?["acceptedBy"] as? String == jonas.email)
    #expect(try !mira("cloud invites").output.contains(code))
    let id = try #require(invites.last?["id"] as? String)
    try mira.prepare("cloud revoke \(id.prefix(8))")
    #expect(try mira("cloud invites --json").array("invites").count == 1)
    let late = try CloudDevice(aloneOn: mira.supabase)
    #expect(try late.join(code).code == 1)
    #expect(try mira("cloud revoke \(id)").code == 3)
  }

  @Test("the last member's leaving is asked for, empties the project, and the files found it again")
  func leaving() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let asked = try mira("cloud disconnect --leave")
    #expect(asked.code == 2)
    #expect(asked.errors.contains("hint: --yes says yes"))
    #expect(try mira.request("GET", "/rest/v1/stock_items?select=id").rows.count == 1)
    try mira.prepare("sync", "cloud disconnect --leave --yes")
    #expect(try mira.request("GET", "/rest/v1/stock_items?select=id").rows.isEmpty)
    #expect(try mira.total("Milk") == 9)
    try mira.connect()
    try mira.prepare("sync")
    #expect(try mira.request("GET", "/rest/v1/stock_items?select=id").rows.count == 1)

    // Where somebody else stays, nothing is asked.
    let jonas = try mira.invite()
    try mira.prepare("cloud disconnect --leave")
    #expect(try Self.names(jonas) == [jonas.email])
    try [jonas].settle()
  }

  @Test("a password is changed, and an account deleted without leaving a dead household")
  func account() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let changed = try mira("cloud password --password-stdin", input: "another long password\n")
    #expect(changed.code == 0, "\(changed.errors)")
    #expect(changed.output == "the password is changed\n")
    let line = "cloud login \(mira.email) --password-stdin"
    #expect(try mira(line, input: CloudDevice.password + "\n").code == 4)
    #expect(try mira(line, input: "another long password\n").code == 0)
    #expect(try mira("cloud reset \(mira.email)").code == 0)

    try mira.prepare("cloud delete-account --yes")
    #expect(try mira(line, input: "another long password\n").code == 4)
    #expect(try mira("cloud status --json").json()["isSignedIn"] as? Bool == false)
    try mira.signIn("--sign-up")
    try [mira, try mira.invite()].settle()
    #expect(try mira.total("Milk") == 9)
  }

  @Test("an address is confirmed and a forgotten password set anew by the code of a mail")
  func mails() throws {
    let supabase = try LocalSupabase(options: ["--faults", "--confirm-email"])
    let mira = try CloudDevice(aloneOn: supabase)
    try mira.start()
    try mira.connect()
    func code(_ kind: String) throws -> String {
      let mails = try supabase.request("GET", "/_local/mails").rows.filter {
        $0["to"] as? String == mira.email && $0["type"] as? String == kind
      }
      return try #require(mails.last?["code"] as? String)
    }
    let login = "cloud login \(mira.email)"
    let word = CloudDevice.password + "\n"
    let pending = try mira("\(login) --password-stdin --sign-up", input: word)
    #expect(pending.code == 4)
    #expect(pending.errors.contains("the project sent a mail to \(mira.email), which has to be"))
    let early = try mira("\(login) --password-stdin", input: word)
    #expect(early.code == 4)
    #expect(early.errors.contains("has not been answered yet"))
    let wrong = try mira("\(login) --code 000000x")
    #expect(wrong.code == 4)
    #expect(wrong.errors.contains("error: the code is wrong or has expired"))
    #expect(try mira("cloud status --json").json()["isSignedIn"] as? Bool == false)
    try mira.prepare("\(login) --code \(try code("signup"))", "stock new Milk", "sync")

    try mira.prepare("cloud logout", "cloud reset \(mira.email)")
    try mira.prepare("\(login) --code \(try code("recovery"))")
    let changed = try mira("cloud password --password-stdin", input: "a new long password\n")
    #expect(changed.code == 0, "\(changed.errors)")
    #expect(try mira("\(login) --password-stdin", input: word).code == 4)
    #expect(try mira("\(login) --password-stdin", input: "a new long password\n").code == 0)
    try supabase.stop()
  }
}
