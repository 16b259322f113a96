internal import LarderModel

/// A piece of a receipt's line.
struct Piece: Equatable {
  enum Kind: Equatable {
    case number(PrintedNumber)
    /// `x`, `×`, `*` or `@` between a quantity and a price.
    case times
    /// `/kg` or `EUR/kg`: what a price is for; nil unless that is a unit of measure.
    case per(Measure?)
    case measure(Measure)
    case currency(String)
    /// Digits that are not a number, such as those of an article or a till.
    case code(String)
    case word
  }

  var kind: Kind
  /// The index of its word in the line.
  var word: Int
  /// The number of spaces before its word; 0 inside a word.
  var gap: Int
  /// The number of characters of its word.
  var length = 0
  /// Whether its word says that a weight is net.
  var isNetWord = false

  var number: PrintedNumber? {
    if case .number(let number) = kind { number } else { nil }
  }
}

/// A receipt's line in pieces.
struct PrintedLine {
  /// The number in the text, from 1.
  var number: Int
  var text: String
  var words: [String] = []
  var pieces: [Piece] = []
  /// The column of the first character that is no space.
  var indent = 0

  init(_ text: String, number: Int, _ style: NumberStyle) {
    self.number = number
    self.text = text
    var gap = 0
    var word = ""
    indent = text.prefix { $0 == " " }.count
    for character in text + " " {
      guard character == " " else {
        word.append(character)
        continue
      }
      if !word.isEmpty {
        var scanner = PieceScanner(word, style, isColumn: gap > 1, behind: pieces.last)
        let kinds = scanner.kinds() ?? [.word]
        let isNet = ["net", "netto"].contains(word.lowercased())
        for (index, kind) in kinds.enumerated() {
          pieces.append(
            Piece(
              kind: kind, word: words.count, gap: index == 0 ? gap : 0, length: word.count,
              isNetWord: isNet))
        }
        words.append(word)
        (word, gap) = ("", 0)
      }
      gap += 1
    }
    if let first = pieces.indices.first { pieces[first].gap = 9 }
    joinSigns()
    joinUnits()
    joinPricesOfSeveral()
    joinCurrencies()
  }

  /// Joins a separate minus with the number next to it.
  private mutating func joinSigns() {
    for index in pieces.indices.reversed() where isMinus(pieces[index]) {
      let before = index > 0 ? index - 1 : nil
      if let before, pieces[index].gap == 1, var number = pieces[before].number,
        number.value > .zero, index == pieces.count - 1
      {
        number.value = -number.value
        pieces[before].kind = .number(number)
        pieces.remove(at: index)
        continue
      }
      var next = index + 1
      if next < pieces.count, case .currency = pieces[next].kind { next += 1 }
      guard next < pieces.count, var number = pieces[next].number, pieces[index].gap > 1,
        pieces[index + 1].gap <= 1, number.value > .zero
      else { continue }
      number.value = -number.value
      pieces[next].kind = .number(number)
      pieces.remove(at: index)
    }
  }

  /// Takes the word behind a stroke for what the price is for: `$1.99/ lb`.
  private mutating func joinUnits() {
    for index in pieces.indices.dropFirst() where pieces[index].gap == 1 {
      let (unit, stroke) = (words[pieces[index].word], words[pieces[index - 1].word])
      guard pieces[index - 1].kind == .per(nil), stroke.last == "/",
        PieceScanner.isUnit(unit[...])
      else { continue }
      pieces[index].kind = .per(Measure(unit))
    }
  }

  /// Gives the price of one to a price of several: `@ 3/ 5.00`, `@ 3 for 5.00`.
  private mutating func joinPricesOfSeveral() {
    for index in pieces.indices.dropFirst(3).reversed() {
      guard index < pieces.count, pieces[index - 3].kind == .times,
        let count = pieces[index - 2].number, count.decimals == 0, count.currency == nil,
        pieces[index - 1].kind == .per(nil) || words[pieces[index - 1].word].lowercased() == "for",
        var price = pieces[index].number, price.decimals > 0,
        let one = price.value.divided(by: count.value)
      else { continue }
      price.value = one
      pieces[index].kind = .number(price)
      pieces.removeSubrange((index - 2)..<index)
    }
  }

  private func isMinus(_ piece: Piece) -> Bool { piece.kind == .word && words[piece.word] == "-" }

  /// Gives each number the currency next to it.
  private mutating func joinCurrencies() {
    for index in pieces.indices {
      guard case .currency(let code) = pieces[index].kind else { continue }
      for place in [index - 1, index + 1] where pieces.indices.contains(place) {
        guard var number = pieces[place].number, number.currency == nil else { continue }
        number.currency = code
        pieces[place].kind = .number(number)
        break
      }
    }
  }
}
