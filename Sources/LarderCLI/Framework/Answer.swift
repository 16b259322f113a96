import LarderModel

/// The words by which people answer yes or no, in the languages that they type.
enum Answer {
  /// The words of each answer: English, German, the Romance and Slavic languages, Dutch and the
  /// Nordic ones, Finnish, Estonian, Hungarian, Turkish, Greek, Japanese, Chinese and Korean.
  private static let words = [
    true: """
    y yes yeah yep yup sure ok okay true on j ja jo jap jawohl klar o oui ouais s si claro sim d da \
    t tak ano jah igen kyllä joo evet да д так ναι はい 是 네
    """,
    false: """
    n no nope nah never false off nein ne nee nej nei non não nu nie nem ei hayır hayir нет н ні не \
    όχι いいえ 否 아니요
    """,
  ]

  private static let meanings: [String: Bool] = words.reduce(into: [:]) { meanings, entry in
    for word in entry.value.split(separator: " ") { meanings[fold(String(word))] = entry.key }
  }

  /// Returns whether a text says yes or no; nil if it says neither.
  static func read(_ text: String) -> Bool? {
    var word = fold(text).drop(while: \.isWhitespace)
    while let last = word.last, last.isWhitespace || ".!".contains(last) { word.removeLast() }
    return meanings[String(word)]
  }

  /// The sentence about a text that says neither.
  static func question(about text: String) -> String {
    "'\(text)' is neither yes nor no; type y or n"
  }
}
