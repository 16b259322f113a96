import LarderKit
import LarderServe

/// `larder serve`: the page for phones, and the watch over the household.
enum ServeCommand {
  static let port = Option(
    "port", value: "N",
    help: "the port to listen at (\(WebServer.Options.usualPort) if left out; 0 for any free one)")
  static let lan = Option("lan", help: "let the networks of this machine reach it")
  static let name = Option(
    "name", value: "NAME", isRepeatable: true,
    help: "another name that phones use, with a port if it is not the server's")
  static let certificate = Option(
    "certificate", value: "FILE", values: .file, help: "a certificate with its chain, for https")
  static let key = Option("key", value: "FILE", values: .file, help: "the certificate's key")
  static let pair = Option(
    "pair", value: "PHONE", implied: "", takesEmpty: true,
    help: "show a code for one more phone, or one that takes PHONE's place, while the server runs")
  static let phones = Option("phones", help: "list the paired phones")
  static let forget = Option("forget", value: "PHONE", help: "let a phone in no more")

  private static let columns: [Column<Phone>] = [
    Column("name") { .text($0.name) }.inTable("Phone").inRecord(1).inJSON(1),
    Column("pairedOn") { .text($0.paired) }.inTable("Paired").inRecord(2).inJSON(2),
    Column("lastUsedOn") { ListValue($0.lastUsed) }
      .inTable("Last used").inRecord(3).inJSON(3, json: \.lastUsed.json),
  ]

  static let command = Command(
    "serve", group: "Household",
    options: [port, lan, name, certificate, key, pair, phones, forget],
    records: [
      columns.form("with \(phones.spelling)"), Column.named.form("with \(pair.spelling)"),
    ]
  ) { invocation in
    let other = [pair, phones, forget].filter { invocation.has($0) || invocation[$0] != nil }
    if other.count > 1 {
      throw invocation.usage(.conflictingOptions(other[0].spelling, other[1].spelling))
    }
    let options = try options(invocation)
    try await invocation.withLarder { larder in
      guard let own = try larder.read().household.own else {
        throw ErrorWords(
          .invalidData,
          "household.json is missing or broken, so nobody knows whose phones these are",
          "'larder check' shows why")
      }
      let book = try PhoneBook(
        household: own.id, environment: invocation.environment.forStates,
        now: try invocation.clock())
      let words = PairingWords(output: invocation.output)
      if invocation.has(phones) {
        invocation.output.rows(
          try book.phones(), columns, as: "phones", none: "no phone is paired")
      } else if let phone = invocation[forget] {
        guard try book.forget(phone) else { throw unknown(phone, hint: "") }
        invocation.output.confirm("\(phone) is let in no more", ["phone": .string(phone)])
      } else if let name = invocation[pair] {
        guard let address = try ServerMark.address(book) else { throw ServeError.notRunning }
        if name.isEmpty {
          words.show(try book.makeCode(), address)
        } else if let (code, phone) = try book.makeCode(replacing: name) {
          words.show(code, address, replacing: phone)
        } else {
          throw unknown(name, hint: "; a new phone gets its name when it is paired")
        }
      } else {
        let known: JSON = ["id": .string(own.id), "name": .string(own.title)]
        try await serve(larder, known, book, options, words, invocation)
      }
    }
  }

  private static func unknown(_ phone: String, hint: String) -> ErrorWords {
    ErrorWords(
      .notFound, "no phone is called '\(phone)'", "'larder serve --phones' lists them\(hint)")
  }

  private static func options(_ invocation: Invocation) throws -> WebServer.Options {
    var options = WebServer.Options()
    options.isOnNetworks = invocation.has(lan)
    let number = try invocation.value(port, "a number from 0 to 65535 is needed") {
      Int($0).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }
    if let number { options.port = number }
    for text in invocation.all(name) {
      guard text.wholeMatch(of: /[A-Za-z0-9.-]+(:[0-9]{1,5})?/) != nil else {
        throw invocation.unreadable(
          text, for: name.spelling, "a name such as larder.example.org is needed")
      }
      options.names.append(text)
    }
    switch (invocation[certificate], invocation[key]) {
    case (let chain?, let key?):
      options.certificate = (invocation.place(of: chain), invocation.place(of: key))
    case (nil, nil): break
    default:
      throw ErrorWords(.usage, "\(certificate.spelling) and \(key.spelling) belong together")
    }
    return options
  }

  /// Serves and watches until a signal comes.
  private static func serve(
    _ larder: isolated Larder, _ household: JSON, _ book: PhoneBook, _ options: WebServer.Options,
    _ words: PairingWords, _ invocation: Invocation
  ) async throws {
    guard let mark = try ServerMark.set(book) else { throw ServeError.running }
    let lines = try TimedLines(larder, invocation)
    let stop = try StopSignals()
    // Phones are answered while the watch waits for the disk or a remote, so by a larder of their own.
    var context = larder.context
    context.executor = nil
    context.report = { _ in }
    // A phone waits for ten seconds; it has to hear why nothing was done.
    context.patience = 3000
    let api = try await HouseholdAPI(try await Larder.open(from: larder.root, context))
    let server = WebServer(
      options, phones: book, household: { household },
      report: { event in
        report(event, lines)
        guard case .moved(let addresses) = event else { return }
        do throws(PhonesError) {
          try mark.note(address: addresses.toOpen, book)
        } catch {
          report(.phones(error), lines)
        }
      },
      hurry: api.hurry, handler: { try await api.answer($0) })
    let addresses = try server.start()
    let address = addresses.toOpen
    try mark.note(address: address, book)
    say(addresses, lines)
    if options.isOnNetworks, options.certificate == nil {
      lines.say(
        .warning,
        "plain http: whoever is on the network can read along, and take a phone's token; use it at "
          + "home, and https everywhere else ('larder help serve')")
    }
    if addresses.forPhones == nil {
      lines.say(
        .warning,
        options.isOnNetworks
          ? "this machine is on no network yet; it looks for one every ten seconds"
          : "only this machine reaches it; --lan opens it to the network, --name is for a proxy "
            + "before it")
    }
    if try book.phones().isEmpty {
      words.show(try book.makeCode(), address)
    } else {
      lines.say(.done, "'larder serve --pair' shows a code for one more phone")
    }
    do {
      try await WatchCommand.watch(larder, every: .seconds(300), until: stop, lines, invocation)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    lines.say(.done, "ended")
  }

  private static func say(_ addresses: WebAddresses, _ lines: TimedLines) {
    lines.say(.atWork, "serving at \(addresses.all.joined(separator: " and "))")
  }

  private static func report(_ event: WebEvent, _ lines: TimedLines) {
    switch event {
    case .moved(let addresses): say(addresses, lines)
    case .paired(let phone): lines.say(.done, "paired \(phone)")
    case .forgotten(let phone): lines.say(.done, "\(phone) has signed out")
    case .failed(let path, let error):
      lines.say(.failed, "\(path): \(MessageWords().errorWords(for: error).message)")
    case .phones(let error):
      lines.say(.failed, MessageWords().errorWords(for: error).message)
    }
  }
}

extension WebAddresses {
  /// The address that a phone opens, or this machine where no phone reaches it.
  fileprivate var toOpen: String { forPhones ?? all.first ?? "" }
}

/// What a code is shown with.
struct PairingWords {
  let output: Output

  func show(_ code: PairingCode, _ address: String, replacing phone: String? = nil) {
    let link = "\(address)#pair=\(code.long)"
    switch output.mode {
    case .json:
      output.json([
        "code": .string(code.typed), "address": .string(link),
        "replaces": phone.map { .string($0) },
      ])
    case .plain:
      output.records(
        [("code", code.typed), ("address", link)] + (phone.map { [("replaces", $0)] } ?? []))
    case .human:
      // No phone's camera reaches what only this machine does.
      let isHere = address.contains("//127.0.0.1:")
      let picture = draws && !isHere ? QRPicture(of: link) : nil
      if let picture, picture.width <= output.terminal.width {
        for line in picture.lines { output.write(line + "\n") }
        output.line("let the phone's camera read this, or open \(address) and type \(code.typed)")
      } else {
        let place = isHere ? "in a browser of this machine" : "on the phone"
        output.line("open \(address) \(place), and type \(code.typed)")
      }
      output.line("the code is good for one phone, for five minutes")
      if let phone {
        output.line("with the name \(phone) it takes that one's place, which is let in no more")
      }
    }
  }

  /// Whether the terminal shows colours: without them the picture might be white on black.
  private var draws: Bool { output.terminal.outputIsTerminal && output.terminal.allowsColor }
}
