internal import LarderModel

/// The numbers that a till and a card terminal gave to one receipt.
///
/// Only digits count, because text recognition mistakes letters and signs more often.
enum ReceiptNumbers {
  /// Returns the first number of each kind in lines, the surest kind first; `moment` is the index of
  /// the line with the day of the purchase.
  static func all(in lines: [String], paidAt moment: Int?) -> [String] {
    var numbers: [Int: String] = [:]
    for (place, line) in lines.enumerated() where !line.isEmpty {
      let next = place + 1 < lines.count ? lines[place + 1] : ""
      var found = labelled(line, next)
      if found.isEmpty, place == moment, let digits = besideMoment(line) {
        found[ranks.count] = digits
      }
      numbers.merge(found) { first, _ in first }
    }
    return numbers.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Words for the number, the surest first.
  private static let ranks: [Set<String>] = [
    [
      "bon", "bonnr", "bonnummer", "bonid", "kassenbon", "kassabon", "receipt", "rcpt", "ticket",
      "resit",
      "scontrino", "kvitto", "kvittonr", "kvittering", "kuitti", "paragon", "uctenka", "recibo",
      "nyugta",
      "kassakvitto", "quittung", "docket",
    ],
    [
      "beleg", "belegnr", "belegnummer", "rechnung", "rechnungsnr", "rechnungsnummer", "facture",
      "factura", "fattura", "faktura", "fatura", "invoice", "invois", "documento", "doc", "nota",
      "folio", "bill", "check", "chk", "order", "bestellung", "bestellnummer", "bestelnummer",
      "commande", "pedido", "ordine", "kassenbeleg", "dokument",
    ],
    [
      "transaktion", "transaktionsnummer", "transaktionsnr", "tse", "transaction", "trans", "trn",
      "tr", "txn",
      "tx", "tan", "ta", "transaccion", "transazione", "transactie",
    ],
    ["trace", "tracenr", "stan", "rrn", "ref", "auth", "autorisierung", "autorisierungsnr"],
    ["terminal", "terminalid", "tid"],
  ]
  /// Words between the word for the number and the number.
  private static let links: Set<String> = [
    "nr", "no", "num", "number", "nummer", "n", "numero", "id", "nro", "simplificada", "code",
    "transaktion", "transaktionsnummer", "transaktionsnr", "transaction", "trace", "ref",
  ]

  private struct Token {
    var text: String
    var isWord: Bool
    /// The text between it and the token before it.
    var gap: String
  }

  /// Returns the first number of each kind that a word on the line names.
  private static func labelled(_ line: String, _ next: String) -> [Int: String] {
    // A line with an amount is about a thing.
    guard line.wholeMatch(of: /.*[0-9][.,][0-9]{2} ?[A-Z€$£]{0,3} *[0-9A-Z]?/) == nil else {
      return [:]
    }
    let tokens = tokens(of: line)
    var found: [Int: String] = [:]
    for (place, token) in tokens.enumerated() where token.isWord {
      let word = fold(token.text)
      guard let rank = ranks.firstIndex(where: { $0.contains(word) }), found[rank] == nil
      else { continue }
      var after = place + 1
      while after < tokens.count, tokens[after].isWord,
        tokens[after].text.count == 1 || links.contains(fold(tokens[after].text))
      {
        after += 1
      }
      if after < tokens.count, !tokens[after].isWord, isLink(tokens[after].gap),
        let digits = digits(of: tokens[after].text)
      {
        found[rank] = digits
      } else if !line.contains(where: \.isASCIIDigit) {
        // `Datum Uhrzeit Beleg-Nr. Kasse` above `28.10.26 12:30 2210 5`
        let (headings, cells) = (line.split(separator: " "), next.split(separator: " "))
        if headings.count == cells.count,
          let column = headings.firstIndex(where: {
            ReceiptWords.label(of: String($0)).contains(word)
          }),
          cells[column].allSatisfy({ $0.isASCIIDigit || "-/".contains($0) }),
          let digits = digits(of: String(cells[column]))
        {
          found[rank] = digits
        }
      }
    }
    return found
  }

  /// Whether nothing but signs stands between the word and the number.
  private static func isLink(_ gap: String) -> Bool {
    gap.allSatisfy { " .:#°º-/=()".contains($0) }
  }

  /// Returns the words and numbers of a line.
  ///
  /// A number may have letters, as `l7` from text recognition or `F26-008812`. An amount or a day is
  /// none.
  private static func tokens(of line: String) -> [Token] {
    let characters = Array(line)
    var tokens: [Token] = []
    var gap = ""
    var index = 0
    while index < characters.count {
      let start = index
      while index < characters.count, characters[index].isLetter { index += 1 }
      let isWord = index > start && (index == characters.count || !characters[index].isASCIIDigit)
      if !isWord {
        index = start
        while index < characters.count,
          characters[index].isLetter || characters[index].isASCIIDigit
            || ("-/".contains(characters[index]) && index > start
              && index + 1 < characters.count && characters[index + 1].isASCIIDigit)
        {
          index += 1
        }
      }
      guard index > start else {
        gap.append(characters[index])
        index += 1
        continue
      }
      var text = String(characters[start..<index])
      if !isWord, index + 1 < characters.count, ".,".contains(characters[index]),
        characters[index + 1].isASCIIDigit
      {
        // The first part of an amount or a day.
        text = ""
        while index < characters.count, characters[index] != " " { index += 1 }
      }
      tokens.append(Token(text: text, isWord: isWord, gap: gap))
      gap = ""
    }
    return tokens
  }

  /// Returns the digits of a number, with those that text recognition takes for letters.
  private static func digits(of text: String) -> String? {
    guard text.contains(where: \.isASCIIDigit), text.count < 40,
      text.split(separator: "/").count != 3 || text.count > 10
    else { return nil }
    let alike: [Character: Character] = [
      "O": "0", "o": "0", "l": "1", "I": "1", "i": "1", "S": "5", "B": "8", "Z": "2",
    ]
    let parts = text.split { "-/".contains($0) }
    let digits = parts.map { part -> String in
      // Letters of a prefix are no digits: `F26`.
      let isMostlyDigits = part.count(where: \.isASCIIDigit) * 2 >= part.count
      return String(part.map { isMostlyDigits ? alike[$0] ?? $0 : $0 }.filter(\.isASCIIDigit))
    }.joined()
    let rest = digits.drop { $0 == "0" }
    return rest.isEmpty ? nil : String(rest)
  }

  /// Returns the digits beside the day and the time, where tills print their numbers without words.
  private static func besideMoment(_ line: String) -> String? {
    let words = line.split(separator: " ").filter { word in
      word.count > 2 && word.allSatisfy { $0.isASCIIDigit || $0 == "#" }
    }
    let digits = words.joined().filter(\.isASCIIDigit).drop { $0 == "0" }
    return digits.isEmpty ? nil : String(digits)
  }
}
