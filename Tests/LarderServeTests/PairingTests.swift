import Foundation
import LarderKit
import LarderServe
import TestSupport
import Testing

@OwnThread @Suite("Pairing phones")
struct PairingTests {
  private let folder: Folder
  private let clock: Locked<Instant>
  private let book: PhoneBook

  init() throws {
    folder = try Folder()
    let start = try #require(Instant("2026-11-27T11:00:00Z"))
    let clock = Locked(start)
    self.clock = clock
    book = try PhoneBook(
      household: "kitchen", environment: ["HOME": folder.path], now: { clock.change { $0 } })
  }

  private func pass(minutes: Int64) {
    clock.change { $0 = $0.adding(milliseconds: minutes * 60_000) }
  }

  @Test("a code pairs one phone, by what is typed in any way, or by the picture's address")
  func forms() throws {
    let code = try book.makeCode()
    #expect(code.typed.wholeMatch(of: /[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}/) != nil)
    #expect(code.long.utf8.count == 16)
    let typed = code.typed.lowercased().replacing("-", with: " ")
    let token = try book.pair(code: typed, name: " Mira's phone ").get().token
    #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
    #expect(try book.pair(code: code.typed, name: "Tom") == .failure(.unknownCode))
    #expect(try book.pair(code: code.long, name: "Tom") == .failure(.unknownCode))
    let other = try book.makeCode()
    _ = try book.pair(code: other.long, name: "Tom").get()
    #expect(try book.phones().map(\.name) == ["Mira's phone", "Tom"])
    #expect(try book.phones().map(\.paired) == ["2026-11-27", "2026-11-27"])
  }

  @Test("a code is good for five minutes, and until there is another one")
  func limits() throws {
    let late = try book.makeCode()
    pass(minutes: 5)
    #expect(try book.pair(code: late.typed, name: "Mira") == .failure(.unknownCode))
    let first = try book.makeCode()
    let second = try book.makeCode()
    #expect(try book.pair(code: first.typed, name: "Mira") == .failure(.unknownCode))
    for name in ["", "a\nb", "a<b>", String(repeating: "a", count: 61)] {
      #expect(try book.pair(code: second.typed, name: name) == .failure(.badName))
    }
    _ = try book.pair(code: second.typed, name: "Mira").get()
    let third = try book.makeCode()
    #expect(try book.pair(code: third.typed, name: "MIRA") == .failure(.takenName(by: "Mira")))
    _ = try book.pair(code: third.typed, name: "Mira's tablet").get()
  }

  @Test(
    "a name that looks like one that is there is taken",
    arguments: [
      ("Mira", "Мirа"), ("Tom", "Тоm"), ("Ida", "lda"), ("Ida", "1da"), ("Bo", "B0"),
      ("Mira", "Ｍｉｒａ"), ("Mira", "Mi\u{AD}ra"), ("Κoρo", "Kopo"),
    ])
  func alike(one: String, other: String) throws {
    _ = try book.pair(code: try book.makeCode().typed, name: one).get()
    let code = try book.makeCode().typed
    let failure = try book.pair(code: code, name: other)
    // What can't be seen is no part of a name.
    let isUnseen = other.unicodeScalars.contains("\u{AD}")
    #expect(failure == .failure(isUnseen ? .badName : .takenName(by: one)))
    _ = try book.pair(code: code, name: "Jonas").get()
  }

  @Test("a code that was made for a phone lets another one take its place and name, and no other's")
  func takingOver() throws {
    let old = try book.pair(code: try book.makeCode().typed, name: "Mira's phone").get()
    let tom = try book.pair(code: try book.makeCode().typed, name: "Tom").get()
    let made = try #require(try book.makeCode(replacing: "mira's PHONE "))
    #expect(made.phone == "Mira's phone")
    let code = made.code.typed
    #expect(try book.pair(code: code, name: "Tom") == .failure(.takenName(by: "Tom")))
    let new = try book.pair(code: code, name: "mira's phone").get()
    #expect(new.name == "Mira's phone" && new.token != old.token)
    #expect(try book.phones().map(\.name) == ["Tom", "Mira's phone"])
    #expect(try book.pair(code: code, name: "Mira's phone") == .failure(.unknownCode))
    #expect(new.token != tom.token)

    #expect(try book.makeCode(replacing: "Ida") == nil)
    let other = try #require(try book.makeCode(replacing: "Tom")).code.long
    _ = try book.pair(code: other, name: "Ida").get()
    #expect(try book.phones().map(\.name) == ["Tom", "Mira's phone", "Ida"])
    let plain = try book.makeCode().typed
    #expect(try book.pair(code: plain, name: "Ida") == .failure(.takenName(by: "Ida")))
  }

  @Test(
    "a name can't turn what stands around it, or hide signs",
    arguments: ["a\u{202E}b", "a\u{200F}b", "a\u{2066}b", "a\u{1B}[31m", "\u{FEFF}a", "a\u{200B}b"])
  func turning(name: String) throws {
    #expect(try book.pair(code: try book.makeCode().typed, name: name) == .failure(.badName))
  }

  @Test("only its user can read the file, which has neither a token nor a code")
  func file() throws {
    let code = try book.makeCode()
    let text = try String(contentsOfFile: book.path, encoding: .utf8)
    let token = try book.pair(code: code.long, name: "Mira").get().token
    let all = text + (try String(contentsOfFile: book.path, encoding: .utf8))
    for secret in [code.long, code.typed, code.typed.replacing("-", with: ""), token] {
      #expect(!all.contains(secret))
    }
    #expect(book.path == folder.path + "/.local/state/larder/kitchen/phones.json")
    let rights = try FileManager.default.attributesOfItem(atPath: book.path)[.posixPermissions]
    #expect(rights as? Int == 0o600)
  }

  @Test("a damaged or open file is said with its path, and stays as it is")
  func damaged() throws {
    _ = try book.pair(code: try book.makeCode().typed, name: "Mira").get()
    let good = try String(contentsOfFile: book.path, encoding: .utf8)
    for damage in ["", "{", "[]", "{\"phones\": [{\"name\": \"Mira\"}]}", String(good.dropLast(9))]
    {
      try damage.write(toFile: book.path, atomically: false, encoding: .utf8)
      #expect(throws: PhonesError.self) { _ = try book.phones() }
      #expect(throws: PhonesError.self) { _ = try book.makeCode() }
      #expect(throws: PhonesError.self) { _ = try book.forget("Mira") }
      #expect(try String(contentsOfFile: book.path, encoding: .utf8) == damage)
    }
    try good.write(toFile: book.path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: book.path)
    #expect(throws: PhonesError.exposed(path: book.path, mode: 0o644)) { _ = try book.phones() }
  }

  @Test("one server runs for a household, and others learn its address")
  func mark() throws {
    #expect(try ServerMark.address(book) == nil)
    let mark = try ServerMark.set(book)
    let isSet = mark != nil
    #expect(isSet)
    try mark?.note(address: "http://192.168.1.20:8413/", book)
    #expect(try ServerMark.address(book) == "http://192.168.1.20:8413/")
  }

  @Test("pairing as a whole: a wrong code, a name that is taken and one taken over, and forgetting")
  func whole() async throws {
    let server = try RunningServer()
    func pair(_ code: String, _ name: String) throws -> String {
      try server.ask(
        "POST", "/api/1/pair", body: "{\"code\": \"\(code)\", \"name\": \"\(name)\"}")
    }
    let unknown = try pair("K7M2-9QXD", "Mira")
    #expect(status(unknown) == 403, "\(unknown)")
    let code = try server.book.makeCode()
    let wrong = try pair("2222-2222", "Mira")
    #expect(status(wrong) == 403 && !wrong.contains("Ashgrove"), "\(wrong)")
    let answer = try pair(code.long, "Mira")
    #expect(status(answer) == 200 && answer.contains("12 Ashgrove Road"))
    let token = String(try #require(answer.firstMatch(of: /"token": "(.*?)"/)).1)
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 200)
    let next = try server.book.makeCode()
    let taken = try pair(next.typed, "mira")
    #expect(status(taken) == 409 && taken.contains("larder serve --pair Mira\""), "\(taken)")
    #expect(status(try pair(next.typed, "a<b")) == 400)
    let own = try #require(try server.book.makeCode(replacing: "Mira")).code.typed
    let replaced = try pair(own, "mira")
    #expect(status(replaced) == 200 && replaced.contains("\"name\": \"Mira\""), "\(replaced)")
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 401)
    let other = String(try #require(replaced.firstMatch(of: /"token": "(.*?)"/)).1)
    #expect(status(try server.ask("GET", "/api/1/state", token: other)) == 200)
    #expect(status(try server.ask("POST", "/api/1/unpair", token: other, body: "{}")) == 200)
    #expect(status(try server.ask("GET", "/api/1/state", token: other)) == 401)
    await server.stop()
  }

  @Test("after ten wrong codes within a minute, who sent them waits, and nobody else")
  func guessing() async throws {
    let server = try RunningServer()
    let code = try server.book.makeCode()
    func pair(_ code: String, from client: String, as name: String = "Eve") throws -> Int {
      status(
        try server.ask(
          "POST", "/api/1/pair", ["X-Forwarded-For: 10.0.0.1, \(client)"],
          body: "{\"code\": \"\(code)\", \"name\": \"\(name)\"}"))
    }
    for neighbour in ["192.168.1.66", "fd00:1:2:3::7"] {
      let answers = try (0..<12).map { _ in try pair("2222-2222", from: neighbour) }
      #expect(answers == Array(repeating: 403, count: 10) + [429, 429])
      #expect(try pair(code.typed, from: neighbour) == 429)
    }
    #expect(try pair(code.typed, from: "fd00:1:2:3::8") == 429, "one network is one client")
    #expect(try server.book.phones().isEmpty)
    #expect(try pair(code.typed, from: "192.168.1.20", as: "Mira") == 200)
    let next = try server.book.makeCode()
    #expect(try pair(next.typed, from: "192.168.1.66", as: "Tom") == 200, "it is another code")
    await server.stop()
  }

  @Test("with a damaged list nobody is let in, which is reported")
  func damagedWhileRunning() async throws {
    let server = try RunningServer()
    let token = try server.token()
    try "{".write(toFile: server.book.path, atomically: true, encoding: .utf8)
    let answer = try server.ask("GET", "/api/1/state", token: token)
    #expect(status(answer) == 503 && !answer.contains(RunningServer.secret))
    let isReported = server.events.all.contains { if case .phones = $0 { true } else { false } }
    #expect(isReported)
    #expect(try String(contentsOfFile: server.book.path, encoding: .utf8) == "{")
    await server.stop()
  }

  @Test("the picture has a light margin, and is black on white on any terminal")
  func picture() throws {
    let picture = try #require(QRPicture(of: "http://192.168.178.34:8413/#pair=0123456789abcdef"))
    #expect(picture.width == 41 && picture.lines.count == 21)
    let lines = picture.lines.map { $0.replacing("\u{1b}[38;5;16;48;5;231m", with: "") }
    let bare = lines.map { $0.replacing("\u{1b}[0m", with: "") }
    #expect(bare.allSatisfy { $0.count == 41 && $0.hasPrefix("    ") && $0.hasSuffix("    ") })
    #expect(bare[0].allSatisfy { $0 == " " } && bare[1].allSatisfy { $0 == " " })
    #expect(bare[2].hasPrefix("    █▀▀▀▀▀█"))
  }
}
