/// A priority queue of commits, the newest first.
///
/// For commits of the same second, the first inserted is first.
struct CommitQueue {
  private var heap: [(commit: Commit, number: Int)] = []
  private var arrivals = 0

  var count: Int { heap.count }

  mutating func insert(_ commit: Commit) {
    heap.append((commit, arrivals))
    arrivals += 1
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() -> Commit? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.commit }
    heap[0] = last
    var place = 0
    while let child = smallerChild(of: place), isBefore(child, place) {
      heap.swapAt(place, child)
      place = child
    }
    return first.commit
  }

  private func smallerChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    guard left < heap.count else { return nil }
    return left + 1 < heap.count && isBefore(left + 1, left) ? left + 1 : left
  }

  private func isBefore(_ place: Int, _ other: Int) -> Bool {
    let (one, two) = (heap[place], heap[other])
    let (mine, theirs) = (one.commit.committer.seconds, two.commit.committer.seconds)
    return mine == theirs ? one.number < two.number : mine > theirs
  }
}
