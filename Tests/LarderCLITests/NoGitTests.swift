import TestSupport
import Testing

@Suite("A device without a git program")
struct NoGitTests {
  private let milk = "stock/milk.json"

  @Test("the household is used as always, and whatever needs a remote says what it needs")
  func noProgram() throws {
    let nest = try HouseholdFixture([milk: Written.item(1, "Milk", "\"quantityInStock\": 4")])
    try nest.addOrigin()
    var larder = nest.larder
    larder.variables["PATH"] = "/nonexistent"
    for words in [["use", "milk", "1"], ["log"], ["undo"]] {
      #expect(try larder.run(words, in: "home/nest").code == 0, "\(words)")
    }
    for words in [["sync"], ["sync", "--all"], ["join", "../origin.git", "copy"]] {
      let told = try larder.run(words, in: "home/nest")
      #expect(told.code == 6, "\(words)")
      #expect(told.errors.contains("there is no git program in PATH"), "\(words): \(told.errors)")
      #expect(told.errors.contains("hint: install git, by "), "\(words): \(told.errors)")
    }
    let watch = try larder.start("watch", "--every", "1h", in: "home/nest")
    #expect(try watch.says("there is no git program in PATH"))
    #expect(watch.end() == 0)
    #expect(
      try larder.run(["doctor"], in: "home/nest").output.contains("there is no git program in PATH")
    )
    #expect(try nest.git("status", "--porcelain") == "")
    #expect(try nest("sync").code == 0)
  }
}
