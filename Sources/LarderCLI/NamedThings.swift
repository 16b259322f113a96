import LarderKit
import LarderModel

/// Words where a verb should be, which name things of the household, as in `larder stock milk`.
struct NamedThings {
  let survey: Survey
  let unknown: UnknownWord

  /// The command that shows the things, or lists them if they are several; nil if there are none.
  ///
  /// Behind a noun it is done, as it only shows. Words that look like a mistyped command have to be
  /// a whole name.
  var command: MeantCommand? {
    let all = [unknown.word] + unknown.rest
    let words = Array(all.prefix { !OptionReading.looksLikeOption($0) })
    guard let line = line(words) else { return nil }
    return MeantCommand(
      words: line + all.dropFirst(words.count), isDone: unknown.noun != nil)
  }

  private func line(_ words: [String]) -> [String]? {
    let name = words.joined(separator: " ")
    let isTypingError = !suggestions(for: unknown.word, among: verbs).isEmpty
    switch unknown.noun {
    case nil:
      guard !isTypingError, let count = found(name, .stockItem, inFull: false) else { return nil }
      return count == .one ? ["show", name] : ["stock", "list"] + words
    case "stock": return filtered(words) ?? stock(words, name, inFull: isTypingError)
    case "shop": return filtered(words) ?? list("shop", words, .shoppingListEntry, isTypingError)
    case "receipt": return filtered(words) ?? show("receipt", words, .receipt, isTypingError)
    case "product": return filtered(words) ?? show("product", words, .product, isTypingError)
    case "location":
      return filtered(words) ?? list("location", words, .storageLocation, isTypingError)
    default: return nil
    }
  }

  /// The names of the commands that may be meant.
  private var verbs: [String] {
    let noun = unknown.noun.flatMap { Root.command.subcommand($0) }
    return (noun ?? Root.command).visibleSubcommands.map(\.name)
  }

  /// Returns the list of words that are filters, such as `category:dairy`.
  private func filtered(_ words: [String]) -> [String]? {
    guard let noun = unknown.noun, words.contains(where: Filter.isFilter) else { return nil }
    return [noun, "list"] + words
  }

  /// Returns the item, or what lies in a location or belongs to a category; whole names come first.
  private func stock(_ words: [String], _ name: String, inFull: Bool) -> [String]? {
    if found(name, .stockItem, inFull: true) == .one { return ["stock", "show", name] }
    if let place = try? survey.naming.exactly(name, .storageLocation) {
      return ["stock", "list", "location:\(place.title)"]
    }
    let categories = survey.items.lazy.compactMap(\.category)
    if let category = categories.first(where: { fold($0) == fold(name) }) {
      return ["stock", "list", "category:\(category)"]
    }
    return show("stock", words, .stockItem, inFull)
  }

  private func show(_ noun: String, _ words: [String], _ kind: Kind, _ inFull: Bool) -> [String]? {
    let name = words.joined(separator: " ")
    return found(name, kind, inFull: inFull) == .one
      ? [noun, "show", name] : list(noun, words, kind, inFull)
  }

  /// Returns the list of all that the words name together, or else each of them.
  private func list(_ noun: String, _ words: [String], _ kind: Kind, _ inFull: Bool) -> [String]? {
    let isNamed =
      found(words.joined(separator: " "), kind, inFull: inFull) != nil
      || words.allSatisfy { found($0, kind, inFull: inFull) != nil }
    return isNamed ? [noun, "list"] + words : nil
  }

  private enum Count { case one, several }

  private func found(_ name: String, _ kind: Kind, inFull: Bool) -> Count? {
    do throws(NamingError) {
      if inFull { return try survey.naming.exactly(name, kind).map { _ in .one } }
      _ = try survey.naming.find(name, kind)
      return .one
    } catch {
      if case .ambiguous = error { return .several }
      return nil
    }
  }
}
