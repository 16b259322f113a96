internal import LarderModel

/// A search for the shop's name, which is printed above the things.
enum PrintedShop {
  /// Returns the first name on a receipt, or the sender of an e-mail; empty if there is none.
  static func name(in lines: [String], head: [String]) -> String {
    lines.prefix(40).lazy.compactMap(sender).first ?? head.lazy.compactMap(name).first ?? ""
  }

  /// Returns the sender of an e-mail, from the line with the sender.
  private static func sender(_ line: String) -> String? {
    guard let colon = line.firstIndex(of: ":"),
      ["from", "von", "de", "dari"].contains(
        fold(String(line[..<colon])).trimmingPrefix("*").description)
    else { return nil }
    let value = line[line.index(after: colon)...]
    guard let at = value.firstIndex(of: "@") else { return nil }
    if let open = value.firstIndex(of: "<"), open < at {
      let name = spaced(value[..<open].filter { $0 != "\"" && $0 != "*" })
      if !name.isEmpty { return name }
    }
    let host = value[value.index(after: at)...].prefix {
      $0.isLetter || $0.isNumber || "-.".contains($0)
    }
    let labels = host.split(separator: ".")
    return labels.dropLast().last.map(String.init)
  }

  /// Returns the name on a line of the head; nil for an address, a number or a greeting.
  private static func name(_ line: String) -> String? {
    // Text far behind the name, such as the branch, is not part of it.
    var columns: [String] = []
    for column in line.split(separator: "    ", omittingEmptySubsequences: true) {
      let column = spaced(String(column))
      if column.contains(where: \.isLetter) { columns.append(column) }
    }
    let text = columns.first.map(trimmed) ?? ""
    let label = ReceiptWords.label(of: text)
    let letters = text.filter(\.isLetter).count
    guard letters > 2, letters * 2 >= text.count(where: { $0 != " " }),
      !text.contains("@"), !text.lowercased().contains("www."),
      !label.allSatisfy(greetings.contains), !label.starts(with: ["subject"]),
      text.wholeMatch(of: /.*[0-9][.,][0-9]{2}( ?[A-Z€$£]+)?/) == nil
    else { return nil }
    let known: Set<String> = [
      "tel", "phone", "telefon", "fax", "gst", "vat", "ust", "ticket", "kasse",
    ]
    guard !known.contains(label.first ?? "") else { return nil }
    return text
  }

  private static let greetings: Set<String> = [
    "welcome", "to", "receipt", "your", "tax", "invoice", "kassenbon", "kassenbeleg", "quittung",
    "rechnung", "beleg", "bon", "bienvenue", "bienvenidos", "bienvenido", "ticket", "de", "caisse",
    "factura", "facture", "simplificada", "recibo", "resit", "rasmi", "selamat", "datang", "copy",
    "customer", "kopie", "kundenbeleg", "merci", "danke", "thank", "you", "gracias", "willkommen",
    "bei",
    "herzlich", "vente", "sale", "duplicata", "duplicado", "cash", "invois", "the", "terima",
    "kasih",
  ]

  private static func trimmed(_ text: String) -> String {
    let isEdge = { (character: Character) in !character.isLetter && !character.isNumber }
    var name = text[...].drop(while: isEdge)
    while let last = name.last, isEdge(last), last != ".", last != ")", last != "!" {
      name.removeLast()
    }
    return String(name)
  }
}
