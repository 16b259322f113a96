/// The counts of a run of simulations.
package struct Figures {
  package var seeds = 0
  var steps = 0
  var syncs = 0
  var merges = 0
  var conflicts = 0
  var undoings = 0
  var kills = 0
  var interruptions = 0
  /// The lines of receipts that were loose on one device and in a batch on another.
  var baskets = 0
  var commits = 0
  /// The requests to the cloud.
  var requests = 0
  var plainWrites = 0

  private static let fields: [(name: String, path: any WritableKeyPath<Figures, Int> & Sendable)] =
    [
      ("seeds", \.seeds), ("steps", \.steps), ("syncs", \.syncs), ("commits", \.commits),
      ("merges", \.merges), ("conflicts", \.conflicts), ("undoings", \.undoings),
      ("kills", \.kills), ("interruptions", \.interruptions), ("baskets", \.baskets),
      ("requests", \.requests), ("plainWrites", \.plainWrites),
    ]

  package init() {}

  /// Reads the text of ``description``.
  init(_ text: Substring) {
    for field in text.split(separator: ",") {
      let words = field.split(separator: " ")
      guard words.count == 2, let number = Int(words[0]),
        let known = Self.fields.first(where: { $0.name == words[1] })
      else { continue }
      self[keyPath: known.path] = number
    }
  }

  mutating func add(_ other: Figures) {
    for field in Self.fields { self[keyPath: field.path] += other[keyPath: field.path] }
  }
}

extension Figures: CustomStringConvertible {
  package var description: String {
    Self.fields.map { "\(self[keyPath: $0.path]) \($0.name)" }.joined(separator: ", ")
  }
}
