/// Returns the first index for which `isBefore` is false; it is true for all indices before that.
package func lowerBound(_ range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = (low + high) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}

/// Visits the indices of sorted elements, and those of new ones among them: `places` are the indices
/// before which the new ones are.
package func merge(
  _ standing: Range<Int>, _ places: [Int], stand: (Int) -> Void, add: (Int) -> Void
) {
  var next = standing.lowerBound
  for (new, place) in places.enumerated() {
    for index in next..<place { stand(index) }
    next = place
    add(new)
  }
  for index in next..<standing.upperBound { stand(index) }
}

/// Returns the index at which `order` is zero: it is below zero before that, and above zero after
/// it.
package func binarySearch(_ range: Range<Int>, _ order: (Int) -> Int) -> Int? {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = (low + high) / 2
    let found = order(middle)
    if found == 0 { return middle }
    if found < 0 { low = middle + 1 } else { high = middle }
  }
  return nil
}
