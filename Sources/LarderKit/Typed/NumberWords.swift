internal import LarderModel
internal import LarderText

/// The words by which people write numbers, in English and German; `numbers.md` lists them.
enum NumberWords {
  /// A number at the beginning of some words.
  struct Reading {
    var number: Number
    /// The number of words.
    var count: Int
    /// Whether it is a part of something, such as `half` and `three quarters`.
    var isPart = false
  }

  /// Reads the number in words that others begin with; nil if they begin with none.
  ///
  ///     number = whole [ part | "and" part ] | part [ "a" ] | mixed | [ "a" ] "couple" [ "of" ]
  ///     whole  = [ small ] "hundred" [ "and" ] [ small ] | small
  ///     small  = tens [ ones ] | ones
  static func reading(_ words: some Collection<some StringProtocol>) -> Reading? {
    let words = words.prefix(8).map { fold(String($0)) }
    guard let first = words.first else { return nil }
    if let below = parts[first] {
      let hasArticle = words.count > 1 && articles.contains(words[1])
      return Reading(number: Number(1, over: below), count: hasArticle ? 2 : 1, isPart: true)
    }
    if let couple = couple(words) { return couple }
    if let number = mixed[first] { return Reading(number: number, count: 1, isPart: number < one) }
    guard let (whole, count) = whole(words) else { return nil }
    let rest = words[count...]
    if let parts = parted(whole, by: rest) {
      return Reading(number: parts, count: count + 1, isPart: true)
    }
    if let (sum, more) = andPart(rest) { return Reading(number: whole + sum, count: count + more) }
    return Reading(number: whole, count: count)
  }

  /// Reads the part in words behind a number, as in `2 and a half`; nil if there is none.
  static func andPart(_ words: some Collection<String>) -> (Number, count: Int)? {
    let words = Array(words)
    guard words.count > 1, ["and", "und"].contains(words[0]) else { return nil }
    guard let end = reading(words[1...]), end.isPart, end.number < one else { return nil }
    return (end.number, end.count + 1)
  }

  /// Returns as many parts as a number says, as in `three quarters`; nil if no word for a part follows.
  static func parted(_ number: Number, by words: some Collection<String>) -> Number? {
    guard let word = words.first, number > .zero else { return nil }
    let below = (number == one ? parts[word] : nil) ?? severalParts[word]
    return below.flatMap { number.divided(by: Number($0)) }
  }

  /// Whether a word is a whole number, such as `two`.
  static func isWhole(_ word: String) -> Bool { wholes[fold(word)] != nil }

  /// Whether a word is a part such as `quarter`, which alone may also be something else.
  static func isBarePart(_ word: String) -> Bool {
    parts[fold(word)].map { $0 > 2 } ?? false
  }

  /// Returns the words of an amount that says no number, such as `a few`, at the beginning of others;
  /// nil if they begin with none.
  static func vague(_ words: some Collection<String>) -> [String]? {
    let words = Array(words.prefix(3))
    let folded = words.map(fold)
    let found = vague.filter { folded.starts(with: $0) }.max { $0.count < $1.count }
    return found.map { Array(words.prefix($0.count)) }
  }

  private static func couple(_ words: [String]) -> Reading? {
    let start = words.count > 1 && wholes[words[0]] == 1 ? 1 : 0
    guard let number = couples[words[start]] else { return nil }
    let hasOf = words.count > start + 2 && words[start + 1] == "of"
    return Reading(number: number, count: start + (hasOf ? 2 : 1))
  }

  private static func whole(_ words: [String]) -> (Number, Int)? {
    guard var (value, count) = small(words[...]) else { return nil }
    if value < 100, count < words.count, words[count] == "hundred" {
      (value, count) = (value * 100, count + 1)
    }
    if value >= 100, value < 1000, value % 100 == 0, count < words.count {
      let skipped = words[count] == "and" ? 1 : 0
      if let (more, length) = small(words[(count + skipped)...]), more < 100, more > 0,
        !["a", "an"].contains(words[count + skipped])
      {
        (value, count) = (value + more, count + skipped + length)
      }
    }
    if value < 1000, count < words.count, words[count] == "thousand" {
      (value, count) = (value * 1000, count + 1)
    }
    return (Number(value), count)
  }

  private static func small(_ words: ArraySlice<String>) -> (Int, Int)? {
    guard let first = words.first else { return nil }
    let halves = first.split(separator: "-").map(String.init)
    if halves.count == 2, let (value, count) = small(halves[...]), count == 2 { return (value, 1) }
    guard let value = wholes[first] else { return nil }
    if (20...90).contains(value), value % 10 == 0, words.count > 1,
      let ones = wholes[words[words.startIndex + 1]], (1...9).contains(ones),
      !articles.contains(words[words.startIndex + 1])
    {
      return (value + ones, 2)
    }
    return (value, 1)
  }

  private static let one = Number(1)
  private static let articles: Set<String> = [
    "a", "an", "ein", "eine", "einen", "einem", "einer", "eines",
  ]

  private static let sections = markdownSections(PackageResources.numbers_md)
  /// The parts by their words, as 4 for a quarter.
  private static let parts = denominators("parts")
  private static let severalParts = denominators("severalParts")
  private static let couples = numbers("couples")
  private static let vague = words(of: sections["vague"] ?? "").map {
    $0.split(separator: " ").map(String.init)
  }

  /// The whole numbers, with the German ones that are written together.
  private static let wholes: [String: Int] = {
    let simple = numbers("wholes").compactMapValues { Int($0.description) }
    var all = simple
    let german = simple.filter { $0.key.utf8.count > 1 }
    for (tens, value) in german where (20...90).contains(value) {
      for (ones, one) in german where (1...9).contains(one) {
        all["\(ones)und\(tens)"] = value + one
      }
    }
    for (ones, one) in german where (1...9).contains(one) {
      for (noun, times) in [("hundert", 100), ("tausend", 1000)] { all[ones + noun] = one * times }
    }
    return all
  }()

  /// Numbers with a half, such as `anderthalb` and `zweieinhalb`.
  private static let mixed: [String: Number] = {
    let wholes = numbers("wholes").filter { $0.value > one && $0.value < Number(20) }
    return wholes.reduce(into: numbers("mixed")) { all, whole in
      all[whole.key + "einhalb"] = whole.value + Number(1, over: 2)
    }
  }()

  /// Returns the numbers of a section by their words.
  private static func numbers(_ section: String) -> [String: Number] {
    values(section).compactMapValues { Number($0) }
  }

  private static func denominators(_ section: String) -> [String: Int] {
    values(section).compactMapValues { Int($0.dropFirst(2)) }
  }

  private static func values(_ section: String) -> [String: String] {
    (sections[section] ?? "").split(separator: "\n").reduce(into: [:]) { found, line in
      let parts = line.split(separator: ":").map(String.init)
      guard parts.count == 2 else { return }
      for word in words(of: parts[1]) { found[word] = parts[0] }
    }
  }

  private static func words(of text: String) -> [String] {
    text.replacing("\n", with: " ").split(separator: ",").map { spaced(String($0)) }
  }
}
