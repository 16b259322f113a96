/// Returns the first index for which `isBefore` is false; it is true for all indices before that.
func lowerBound(_ range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = (low + high) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}

/// Returns the index at which `order` is zero: it is below zero before that, and above zero after
/// it.
func binarySearch(_ range: Range<Int>, _ order: (Int) -> Int) -> Int? {
  let place = lowerBound(range) { order($0) < 0 }
  return place < range.upperBound && order(place) == 0 ? place : nil
}

extension Array {
  /// Returns the elements of a sorted array that stay, and those of another one at their places among
  /// them.
  package func merged(
    with others: [Element], keeping stays: (Element) -> Bool,
    _ isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    var merged: [Element] = []
    merged.reserveCapacity(count + others.count)
    var next = 0
    for other in others {
      let place = lowerBound(next..<count) { isBefore(self[$0], other) }
      merged += self[next..<place].lazy.filter(stays)
      merged.append(other)
      next = place
    }
    return merged + self[next...].lazy.filter(stays)
  }
}
