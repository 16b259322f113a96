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
