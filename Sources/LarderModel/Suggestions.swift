/// Returns the candidates that a mistyped word may mean, best first, at most three.
///
/// Candidates that begin with the word are included. Others are at most two edits away, or one for
/// words of up to three letters. Case and accents don't matter.
public func suggestions(for word: String, among candidates: [String]) -> [String] {
  let wanted = fold(word)
  let length = wanted.filter { $0 != "-" }.count
  guard length > 0 else { return [] }
  let allowed = length <= 3 ? 1 : 2
  var scored: [(distance: Int, candidate: String)] = []
  for candidate in candidates where !scored.contains(where: { $0.candidate == candidate }) {
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
