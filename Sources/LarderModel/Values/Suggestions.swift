/// Returns the candidates that a mistyped word may mean, best first, at most three.
///
/// Candidates that begin with the word are included. Others are one edit away, or two for words of
/// more than five letters: of a shorter word, two edits make any other. Case and accents don't
/// matter.
public func suggestions(for word: String, among candidates: [String]) -> [String] {
  // Nobody mistypes a word of this length, and the distance would take long.
  guard word.utf8.count <= 200 else { return [] }
  let wanted = fold(word)
  let length = wanted.filter { $0 != "-" }.count
  guard length > 0 else { return [] }
  let allowed = length <= 5 ? 1 : 2
  var scored: [(distance: Int, candidate: String)] = []
  for candidate in candidates where !scored.contains(where: { $0.candidate == candidate }) {
    guard candidate.utf8.count <= 1000 else { continue }
    let folded = fold(candidate)
    let distance = editDistance(wanted, folded)
    if distance <= allowed {
      scored.append((distance, candidate))
    } else if length >= 2, folded.hasPrefix(wanted) {
      scored.append((allowed + 1, candidate))
    }
  }
  // A stable order: by distance, then by declaration.
  let ranked = scored.enumerated().sorted {
    ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
  }
  return ranked.prefix(3).map(\.element.candidate)
}

/// Returns the titles that mistyped words may mean, at most three: those that are similar as a
/// whole, otherwise those with a similar word.
public func titleSuggestions(for words: String, among titles: [String]) -> [String] {
  let whole = suggestions(for: words, among: titles)
  if !whole.isEmpty { return whole }
  let byWord = titles.filter { title in
    title.split(separator: " ").contains { !suggestions(for: words, among: [String($0)]).isEmpty }
  }
  return Array(byWord.prefix(3))
}

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours between two
/// words.
///
/// This is the restricted Damerau-Levenshtein distance (optimal string alignment): no part is
/// edited twice.
public func editDistance(_ one: String, _ other: String) -> Int {
  let left = Array(one)
  let right = Array(other)
  if left.isEmpty { return right.count }
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in 1...left.count {
    var current = [row]
    for column in stride(from: 1, through: right.count, by: 1) {
      let isSame = left[row - 1] == right[column - 1]
      var best = min(last[column] + 1, current[column - 1] + 1)
      best = min(best, last[column - 1] + (isSame ? 0 : 1))
      if row > 1, column > 1, left[row - 1] == right[column - 2],
        left[row - 2] == right[column - 1]
      {
        best = min(best, beforeLast[column - 2] + 1)
      }
      current.append(best)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}
