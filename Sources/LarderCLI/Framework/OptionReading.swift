import LarderKit
import LarderModel

/// A single pass over the words of a line that separates options from arguments.
struct OptionReading {
  let command: Command
  let words: [String]
  /// The indices of the words that named the command.
  let consumed: Set<Int>

  private(set) var options: [String: [String]] = [:]
  private(set) var positionals: [String] = []
  private(set) var problems: [UsageProblem] = []
  private var index = 0

  init(command: Command, words: [String], consumed: Set<Int>) {
    self.command = command
    self.words = words
    self.consumed = consumed
  }

  private var declared: [Option] { command.options + GlobalOption.all }

  /// Whether a word looks like an option, instead of a number, a filter or a single dash.
  static func looksLikeOption(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else { return false }
    let behind = word.unicodeScalars.dropFirst()
    guard let first = behind.first else { return false }
    if ("0"..."9").contains(first) { return false }
    if first == "." || first == ",", let second = behind.dropFirst().first {
      return !("0"..."9").contains(second)
    }
    return true
  }

  mutating func readAll() {
    while index < words.count {
      let word = words[index]
      if consumed.contains(index) {
        index += 1
      } else if isAtRest(word) {
        readRest()
      } else if word == "--" {
        positionals += words[(index + 1)...]
        index = words.count
      } else if let (option, number) = bareNumber(word) {
        index += 1
        take(option, spelling: word, value: number)
      } else if !isOption(word) {
        positionals.append(word)
        index += 1
      } else if word.hasPrefix("--") {
        readLong(word)
      } else {
        readShort(word)
      }
    }
  }

  private func isOption(_ word: String) -> Bool {
    Self.looksLikeOption(word) && !isNegatedFilter(word)
  }

  /// Whether a word is `-field:value` in a command that takes filters.
  private func isNegatedFilter(_ word: String) -> Bool {
    guard command.arguments.contains(where: { $0.values == .filters }) else { return false }
    let letters = word.dropFirst().prefix { $0.isASCII && $0.isLetter }
    return letters.count > 1 && letters.first?.isLowercase == true
      && word.dropFirst(letters.count + 1).first.map(Filter.signs.contains) ?? false
  }

  /// Returns the option and value that a word such as `-5` means; nil for any other word or
  /// command.
  private func bareNumber(_ word: String) -> (Option, String)? {
    let digits = word.dropFirst()
    guard word.first == "-", !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let option = declared.first(where: \.isBareNumber)
    else { return nil }
    return (option, String(digits))
  }

  /// Whether a word is `-word`, which may be a value; a single letter is an option.
  private func isHyphenedWord(_ word: String) -> Bool { word.count > 2 && !word.hasPrefix("--") }

  /// Whether all words from here on belong to the argument that takes the rest.
  private func isAtRest(_ word: String) -> Bool {
    guard command.arguments.last?.arity == .rest,
      positionals.count == command.arguments.count - 1,
      index > (consumed.max() ?? -1)
    else { return false }
    return word != "--help" && word != "-h"
  }

  private mutating func readRest() {
    if words[index] == "--" { index += 1 }
    positionals += words[index...]
    index = words.count
  }

  private mutating func readLong(_ word: String) {
    index += 1
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    guard let option = declared.first(where: { $0.spelling == spelling }) else {
      let tried = TriedOptions.meant(by: spelling, among: declared)
      let near = suggestions(for: spelling, among: declared.map(\.spelling))
      let filter = filter(typedAs: spelling, value: parts.count == 2 ? String(parts[1]) : nil)
      return problems.append(
        .unknownOption(spelling, suggestions: (tried ?? filter).map { [$0] } ?? near))
    }
    take(option, spelling: spelling, value: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Returns the filter that is meant by an option with the name of a field or a state.
  private func filter(typedAs spelling: String, value: String?) -> String? {
    let name = spelling.dropFirst(2).lowercased()
    let next = words.indices.contains(index) && !isOption(words[index]) ? words[index] : nil
    for argument in command.arguments {
      if argument.states.contains(name) { return "is:\(name)" }
      if let field = argument.fields.first(where: { $0.lowercased() == name }) {
        return shellWord("\(field):\(value ?? next ?? "")")
      }
    }
    return nil
  }

  private mutating func readShort(_ word: String) {
    index += 1
    // '-unit' is a mistyped '--unit', not '-u' with the value 'nit'.
    let long = "-" + word.prefix { $0 != "=" }
    if word.count > 2, declared.contains(where: { $0.spelling == long }) {
      return problems.append(.unknownOption(String(long.dropFirst()), suggestions: [long]))
    }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = "-\(letter)"
      guard let option = declared.first(where: { $0.short == letter }) else {
        let long = declared.filter { $0.name.first == letter }.map(\.spelling)
        return problems.append(.unknownOption(spelling, suggestions: Array(long.prefix(3))))
      }
      if !option.isFlag, !letters.isEmpty {
        return take(option, spelling: spelling, value: String(letters))
      }
      take(option, spelling: spelling)
    }
  }

  /// Records an option: a flag, or one whose value is in the same word or is the next one.
  private mutating func take(_ option: Option, spelling: String, value: String? = nil) {
    guard !option.isFlag else {
      if let value { return problems.append(.unexpectedValue(option: spelling, value: value)) }
      options[option.name] = [""]
      return
    }
    if let value { return note(option, spelling, value) }
    let next = index < words.count && !consumed.contains(index) ? words[index] : nil
    let isValue = next.map { !isOption($0) && option.values.problem(with: $0, name: "") == nil }
    if let implied = option.implied, isValue != true { return note(option, spelling, implied) }
    guard let next, next != "--",
      !isOption(next) || option.takesHyphen && isHyphenedWord(next)
    else { return noteMissing(option, spelling) }
    index += 1
    note(option, spelling, next)
  }

  private mutating func note(_ option: Option, _ spelling: String, _ value: String) {
    if options[option.name] != nil, !option.isRepeatable {
      return problems.append(.repeatedOption(spelling))
    }
    // An empty value comes from an unset variable in a script; nobody means it.
    if value.isEmpty, !option.takesEmpty { return noteMissing(option, spelling) }
    problems += [option.values.problem(with: value, name: spelling)].compactMap(\.self)
    options[option.name, default: []].append(value)
  }

  private mutating func noteMissing(_ option: Option, _ spelling: String) {
    problems.append(.missingValue(option: spelling, placeholder: option.placeholder ?? ""))
  }
}

extension Values {
  /// Returns the problem with a value, or nil.
  func problem(with value: String, name: String) -> UsageProblem? {
    guard case .oneOf(let choices) = self, !choices.contains(value) else { return nil }
    return .notAmong(value, name: name, choices)
  }
}

/// Names of options that people try, with Larder's names.
enum TriedOptions {
  private static let names = [
    "by": ["author", "user", "who", "device", "group-by", "group"],
    "location": ["place", "where", "in", "at", "to"],
    "expiry": ["expires", "exp", "use-by", "until", "bbd", "mhd"],
    "reason": ["because", "why", "message", "note", "notes", "comment"],
    "note": ["notes", "comment", "message"], "notes": ["note", "comment"],
    "minimum": ["threshold", "below"], "full": ["max", "maximum", "target"],
    "amount": ["total", "sum", "price", "paid"], "shop": ["store", "from"],
    "since": ["after", "from"], "until": ["before", "to"], "limit": ["max", "count", "number"],
    "number": ["count", "last", "times"], "time-zone": ["tz", "zone"], "output": ["out", "file"],
    "dry-run": ["simulate", "preview", "what-if"], "yes": ["force", "assume-yes"],
    "alias": ["aka", "also"], "item": ["product", "for"], "keeps": ["shelf-life", "lasts"],
    "oneline": ["short", "one-line"], "all": ["everything"], "at": ["when", "date", "time", "on"],
  ]

  /// Returns the spelling of the option that is meant by an unknown one; nil if that is not known.
  static func meant(by spelling: String, among declared: [Option]) -> String? {
    let word = spelling.dropFirst(2).lowercased()
    return declared.first { names[$0.name]?.contains(word) ?? false }?.spelling
  }
}
