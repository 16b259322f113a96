import LarderKit
import LarderModel
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Text for people and for scripts")
struct FrameworkTextTests {
  @Test(
    "a text takes as many columns as a terminal gives it",
    arguments: [
      ("", 0), ("milk", 4), ("Käse", 4), ("Ka\u{308}se", 4), ("e\u{301}\u{323}", 1),
      ("牛乳", 4), ("ｶﾞ", 2), ("カ", 2), ("が", 2), ("か\u{3099}", 2), ("Ａ", 2), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("你好, x", 7), ("、", 2), ("𠮷", 2), ("：", 2),
      ("🥛", 2), ("🥛milk", 6), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
      ("❤", 1), ("❤️", 2), ("❤️‍🔥", 2), ("1️⃣", 2), ("☎", 1), ("✅", 2), ("⌚", 2), ("🀄", 2),
      ("a\u{FE0F}", 1), ("a\u{200B}b", 2), ("\u{FEFF}a", 1), ("a\u{AD}b", 3), ("\u{7}", 0),
      ("שלום", 4), ("مرحبا", 5), ("สวัสดี", 4), ("…", 1), ("½", 1), ("© ÿ ʯ", 5), ("Crème\u{85}", 5),
      ("█▌░", 3), ("€", 1), ("🈚", 2),
    ])
  func width(text: String, columns: Int) {
    #expect(displayWidth(text) == columns)
  }

  @Test(
    "text bound for a reader loses what would steer the terminal or reorder the line",
    arguments: [
      ("Oat milk", "Oat milk"), ("Käse 牛乳 🥛", "Käse 牛乳 🥛"), ("👩‍👩‍👧‍👦 🇩🇪 ❤️", "👩‍👩‍👧‍👦 🇩🇪 ❤️"),
      ("שלום \u{200F}x\u{200E}", "שלום \u{200F}x\u{200E}"),
      ("a\u{1B}[31mb\u{1B}[0m", "a[31mb[0m"), ("a\u{1B}]0;title\u{7}b", "a]0;titleb"),
      ("a\u{1B}Pdata\u{1B}\\b", "aPdata\\b"), ("a\u{9B}31mb", "a31mb"), ("a\u{1B}[", "a["),
      ("a\u{0}b\u{7}c\u{8}d\u{7F}e", "abcde"), ("a\u{80}b\u{86}c", "abc"),
      ("a\tb", "a b"), ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\rb", "a b"), ("a\u{85}b", "a b"),
      ("a\u{2028}b\u{2029}c", "a b c"), ("a\u{B}b\u{C}c", "abc"),
      ("a\u{202E}b\u{202C}c", "abc"), ("a\u{2066}b\u{2069}c", "abc"),
      ("a\u{202A}\u{202B}\u{202D}\u{2067}\u{2068}b", "ab"),
    ])
  func sanitizing(text: String, clean: String) {
    #expect(Array(sanitize(text).unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test("sanitised text has no control character, whatever came in, and is stable")
  func sanitizingAnything() {
    let seed = Seed.ofRun
    var generator = SeededGenerator(seed: seed)
    let alphabet: [Unicode.Scalar] = [
      "\u{1B}", "[", "]", "\\", "m", "3", ";", "(", "\u{9B}", "\u{9C}", "\u{7}", "\u{90}", "\n",
      "\r",
      "a", "é", "\u{202E}", "\u{200D}", "🥛", " ",
    ]
    for _ in 0..<3000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        text.append(alphabet.randomElement(using: &generator) ?? " ")
      }
      let clean = sanitize(String(text))
      let isClean = clean.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0 != "\u{202E}"
      }
      #expect(isClean, "seed \(seed): \(text.map(\.value))")
      #expect(sanitize(clean) == clean, "seed \(seed): \(text.map(\.value))")
      #expect(
        sanitize("'\(String(text))' and '") == "'\(clean)' and '",
        "what is around a name stays; seed \(seed): \(text.map(\.value))")
    }
  }

  @Test("a plain record escapes what would break the record")
  func plainRecords() {
    #expect(plainRecord(["a", "", "b c"]) == "a\t\tb c\n")
    #expect(
      plainRecord(["a\tb", "c\nd", "e\\f", "g\r\nh", "\\t"])
        == "a\\tb\tc\\nd\te\\\\f\tg\\r\\nh\t\\\\t\n")
    #expect(plainRecord(["牛乳\t🥛"]) == "牛乳\\t🥛\n")
    #expect(plainRecord(["Crème", "a\u{9B}b", "ö\\"]) == "Crème\ta\\u009bb\tö\\\\\n")
  }

  @Test(
    "a bar is filled in eighths, never full before it is, never empty while there is some",
    arguments: [
      (0.0, "░░░░"), (0.001, "▏░░░"), (0.25, "█░░░"), (0.5, "██░░"), (0.53, "██▏░"),
      (0.999, "███▉"),
      (1.0, "████"), (7.0, "████"), (-1.0, "░░░░"), (.nan, "░░░░"), (.infinity, "████"),
    ])
  func bars(fraction: Double, drawn: String) {
    #expect(bar(fraction, width: 4) == drawn)
    #expect(bar(fraction, width: 0) == "")
  }

  @Test(
    "a text is cut by columns, not through a character",
    arguments: [
      ("milk", 4, "milk"), ("milk", 3, "mi…"), ("milk", 1, "…"), ("milk", 0, ""),
      ("牛乳牛乳", 5, "牛乳…"),
      ("牛乳牛乳", 4, "牛…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"), ("e\u{301}e\u{301}e", 2, "e\u{301}…"),
    ])
  func truncating(text: String, width: Int, cut: String) {
    #expect(truncated(text, to: width) == cut)
  }

  @Test(
    "texts are the same where only case, accents, width or spacing differ",
    arguments: [
      ("Café", "cafe"), ("CAFE\u{301}", "café"), ("Straße", "STRASSE"), ("Ｍｉｌｋ", "milk"),
      ("Smørrebrød", "smorrebrod"), ("Żółć", "zolc"), ("Œuf", "oeuf"),
      ("  oat   milk ", "Oat Milk"),
      ("Йогурт", "йогурт"), ("ΟΔΟΣ", "οδος"), ("Crème brûlée", "creme brulee"), ("ﾐﾙｸ", "ミルク"),
      ("phở", "pho"), ("İstanbul", "istanbul"),
    ])
  func folding(one: String, other: String) {
    #expect(fold(one) == fold(other))
  }

  @Test("texts that differ in letters stay different")
  func foldingKeepsLetters() {
    #expect(fold("牛乳") != fold("牛肉"))
    #expect(fold("milk") != fold("mill"))
    #expect(fold("oat milk") != fold("oatmilk"))
    #expect(fold("") == "")
  }

  @Test(
    "the edit distance counts insertions, deletions, changes and swaps",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("stock", "stock", 0), ("stok", "stock", 1),
      ("sotck", "stock", 1), ("stick", "stock", 1), ("stocks", "stock", 1),
      ("consmue", "consume", 1),
      ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func distances(one: String, other: String, distance: Int) {
    #expect(editDistance(one, other) == distance)
    #expect(editDistance(other, one) == distance)
  }

  @Test("suggestions come nearest first, at most three, and none for what is far off")
  func suggesting() {
    let verbs = ["list", "new", "show", "edit", "add", "consume", "count", "open", "move", "due"]
    #expect(suggestions(for: "cosume", among: verbs) == ["consume"])
    #expect(suggestions(for: "con", among: verbs) == ["consume"])
    #expect(suggestions(for: "co", among: verbs) == ["consume", "count"])
    #expect(suggestions(for: "EDIT", among: verbs) == ["edit"])
    #expect(suggestions(for: "ad", among: verbs) == ["add"])
    #expect(suggestions(for: "refrigerator", among: verbs) == [])
    #expect(suggestions(for: "", among: verbs) == [])
    #expect(suggestions(for: "--", among: ["--all"]) == [])
    #expect(suggestions(for: "aaa", among: ["aab", "aac", "aad", "aae"]) == ["aab", "aac", "aad"])
    #expect(suggestions(for: "kase", among: ["Käse", "Käse"]) == ["Käse"])
  }
}
