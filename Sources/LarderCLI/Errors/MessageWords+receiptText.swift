import LarderKit
import LarderModel

extension ReceiptFileError {
  /// The words for the error; `path` is the file, or nil for standard input.
  func commandError(path: String?) -> CommandError {
    let name = path.map { "'\($0)'" } ?? "standard input"
    let word = path.map(shellWord) ?? "FILE"
    switch self {
    case .bytes(let mistake): return mistake.commandError(name, word)
    case .format(.heic):
      return CommandError(
        .invalidData, "\(name) is a photo in the format HEIC, which can't be read here",
        hints: ["'heif-convert \(word) receipt.jpg' makes a JPEG of it"])
    case .format(.archive):
      return CommandError(
        .invalidData, "\(name) is an archive", hints: ["unpack it, and read the receipt in it"])
    case .format: return CommandError(.invalidData, "\(name) is no text, PDF or photo")
    case .notInstalled(let program, let package):
      return CommandError(
        .failed, "\(name) is read by '\(program)', which is not installed",
        hints: ["'sudo apt-get install \(package)' installs it; with Homebrew, \(brew(program))"])
    case .unreadable(let program, let status):
      let reason = status > 128 ? "a signal ended it, perhaps for its memory" : "exit \(status)"
      return CommandError(
        .invalidData, "\(name) can't be read: '\(program)' did not end well (\(reason))",
        hints: ["'\(program)' shows why; or copy the text: larder receipt read -"])
    case .tookTooLong(let program, let seconds):
      return CommandError(
        .failed, "\(name) can't be read: '\(program)' took more than \(seconds) seconds",
        hints: ["a smaller picture or a single page may do"])
    case .noText(let program):
      return CommandError(
        .invalidData, "'\(program)' found no text in \(name)",
        hints: [
          program == "pdftotext"
            ? "if it is a picture: 'pdftoppm -r 300 -png \(word) page', then read page-1.png"
            : "a picture from above, in good light, reads best"
        ])
    }
  }

  private func brew(_ program: String) -> String {
    "'brew install \(program == "pdftotext" ? "poppler" : program)'"
  }
}

extension ReceiptBytes.Mistake {
  fileprivate func commandError(_ name: String, _ word: String) -> CommandError {
    switch self {
    case .encoding(let encoding?):
      CommandError(
        .invalidData, "\(name) is not UTF-8; it seems to be \(encoding)",
        hints: ["'iconv -f \(encoding) -t UTF-8 \(word) | larder receipt read -' reads it"])
    case .encoding(nil):
      CommandError(
        .invalidData, "\(name) is not UTF-8",
        hints: ["'iconv -f WINDOWS-1252 -t UTF-8' or '-f SHIFT_JIS' before the pipe rewrites it"])
    case .noText:
      CommandError(
        .invalidData, "\(name) is no text, and no PDF or photo that is known",
        hints: [
          "save it as a text, a PDF, a JPEG or a PNG, or paste its text: larder receipt read -"
        ])
    case .tooLarge:
      CommandError(
        .invalidData, "\(name) is larger than \(ReceiptBytes.most >> 20) MiB",
        hints: ["a receipt is smaller; cut out its part"])
    case .tooManyLines:
      CommandError(
        .invalidData, "\(name) has more than \(ReceiptTextReader.mostLines) lines",
        hints: ["a receipt is shorter; cut out its part"])
    }
  }
}

extension ReadingDoubt {
  /// The words for the error; `source` has the text.
  func commandError(in source: ReceiptSource) -> CommandError {
    let marks = receipt.doubtfulPlaces
    let lines = receipt.lines.enumerated().map { place, line in
      let mark = marks.contains(place) ? "doubtful: " : ""
      return source.problem(
        mark + line.words(receipt.currency), line: line.line,
        marks.contains(place) ? .warning : .note)
    }
    return CommandError(
      .invalidData,
      "nothing was saved: " + reasons.map { $0.words(receipt) }.joined(separator: "; "),
      problems: lines, hints: hints)
  }

  /// The printed day with its time, as `--at` takes them.
  private func moment(on day: Day) -> String {
    guard let minutes = receipt.minutes else { return day.description }
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(day) \(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  private var hints: [String] {
    var hints: [String] = []
    for reason in reasons {
      switch reason {
      case .noDay: hints.append("--at DAY says when it was paid")
      case .dayAhead(let day), .dayLongAgo(let day):
        hints.append("if the day is right, --at '\(moment(on: day))' says so; otherwise --at DAY")
      default: break
      }
    }
    if reasons.contains(.noShop) { hints.append("--shop S names the shop") }
    hints.append("at a terminal, you can correct what was read in your editor")
    return hints
  }
}

extension ReadingDoubt.Reason {
  /// The reason, for a sentence.
  func words(_ receipt: ReadReceipt) -> String {
    let money = { (number: Number) in TypedMoney(number, receipt.currency).description }
    switch self {
    case .noLines: return "no line with a price was found"
    case .noTotal: return "no total was found"
    case .belowZero: return "the total is below zero, so it is no purchase"
    case .noDay: return "no day is printed"
    case .noShop: return "no name of a shop was found"
    case .dayAhead(let day): return "the day on it, \(day), is in the future"
    case .dayLongAgo(let day): return "the day on it, \(day), is more than a year ago"
    case .quantities(1): return "the numbers of a line contradict its quantity"
    case .quantities(let count): return "the numbers of \(count) lines contradict their quantities"
    case .difference(let gap):
      let size = gap < .zero ? -gap : gap
      return "the lines make \(money(receipt.sum)), and the total is "
        + "\(money(receipt.total ?? .zero)), \(money(size)) \(gap < .zero ? "less" : "more")"
    }
  }
}

extension ReadLine {
  /// The line in short, such as `2 x Milk, 2.38 EUR`.
  func words(_ currency: String?) -> String {
    let amount = Quantity(quantity, unit ?? .piece).description
    let count = quantity == Number(1) && unit == nil ? "" : "\(amount) "
    return "\(count)\(title), \(TypedMoney(self.amount, currency))"
  }
}
