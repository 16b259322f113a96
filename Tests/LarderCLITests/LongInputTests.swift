import TestSupport
import Testing

@Suite("Input of a size that nobody writes")
struct LongInputTests {
  private static let long = String(repeating: "x", count: 1_000_000)
  private static let words = String(repeating: "a b ", count: 250_000)

  /// Runs a line, which has to end with an error in a few seconds.
  private func refused(_ nest: Nest, _ line: String, input: String = "") throws -> String {
    let clock = ContinuousClock()
    let begin = clock.now
    let outcome = try nest(line, input: input)
    #expect(clock.now - begin < .seconds(5), "\(line)")
    #expect(outcome.code != 0, "\(line)")
    #expect(outcome.errors.utf8.count < 10_000, "\(line)")
    return outcome.errors
  }

  @Test("is refused at once: long lines of lists, sheets and todo.txt files")
  func lines() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l")
    for text in [Self.long, Self.words] {
      for line in ["use -", "buy -", "put - --new", "count -"] {
        #expect(try refused(nest, line, input: text).contains("a line of more than 10000 bytes"))
      }
      #expect(try refused(nest, "stocktake", input: text).contains("more than 10000 bytes"))
      try nest.write(text, to: "list.txt")
      #expect(try refused(nest, "import todo.txt list.txt").contains("more than 10000 bytes"))
    }
    let many = String(repeating: "milk 1\n", count: 100_000)
    #expect(try refused(nest, "put -", input: many).contains("more than 2000 lines"))
  }

  @Test("is refused at once: tables with many columns, long cells, or a quote that never closes")
  func tables() throws {
    let nest = try Nest()
    let columns = (0..<300_000).map { "c\($0)" }.joined(separator: ",")
    try nest.write(columns + "\n", to: "wide.csv")
    #expect(try refused(nest, "import csv wide.csv").contains("300000 columns"))
    for head in ["name,quantity\n\""] {
      try nest.write(head + String(repeating: "a,b\n", count: 300_000), to: "open.csv")
      #expect(
        try refused(nest, "import csv open.csv --kind stock").contains("is never closed"), "\(head)"
      )
    }
    try nest.write("name,quantity\n\(Self.long),1\n", to: "cell.csv")
    #expect(
      try refused(nest, "import csv cell.csv --kind stock").contains("this cell has more than"))
  }

  @Test("is not searched for mistyped names: a long name is not found at once")
  func names() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l")
    let name = String(repeating: "milk", count: 30_000)
    for line in ["use \(name)", "show \(name)", "stock list \(name) nothing"] {
      let clock = ContinuousClock()
      let begin = clock.now
      let outcome = try nest(line)
      #expect(clock.now - begin < .seconds(3), "\(line.prefix(20))")
      #expect(outcome.errors.utf8.count < 10_000, "\(line.prefix(20))")
    }
    let things = (0..<10_000).map { "thing\($0)" }.joined(separator: " ")
    for line in ["use", "buy", "stock archive"] {
      #expect(try refused(nest, "\(line) \(things)").isEmpty == false)
    }
  }
}
