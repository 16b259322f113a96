import TestSupport
import Testing

@Suite("What loses in a join with the cloud")
struct CloudConflictsTests {
  /// Two devices that both know an item, and then both write its name, one after the other.
  private func pair() throws -> (laptop: CloudDevice, phone: CloudDevice) {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    try laptop.prepare("stock edit Milk --name Oatly")
    try phone.prepare("stock edit Milk --name Soya")
    return (laptop, phone)
  }

  @Test("is told by the sync, listed with both values, and taken back by its id")
  func earlierLoses() throws {
    let (laptop, phone) = try pair()
    try phone.prepare("sync")
    let sync = try laptop("sync")
    #expect(sync.code == 0)
    #expect(sync.errors.contains("1 value lost to later writes in the merge: Soya (name)"))
    let listed = try laptop("conflicts --json").array("conflicts")
    #expect(listed.count == 1)
    let lost = try #require(listed.first?["lost"] as? [String: Any])
    #expect((lost["fields"] as? [String: String]) == ["name": "Oatly"])
    let id = try #require(listed.first?["conflict"] as? String)
    try laptop.prepare("conflicts show \(id)", "conflicts restore \(id)", "sync")
    try phone.prepare("sync")
    #expect(try phone.total("Oatly") == 9)
    #expect(try laptop("conflicts").output.contains("restored"))
    try [laptop, phone].settle()
  }

  @Test("is told as well where the other side's value, which only the cloud has, is the older one")
  func laterWins() throws {
    let (laptop, phone) = try pair()
    try laptop.prepare("sync")
    let pulled = try phone("cloud pull")
    #expect(pulled.errors.contains("1 value lost"), "\(pulled.errors)")
    let listed = try phone("conflicts")
    #expect(listed.output.contains(/Oatly +the cloud,/), "\(listed.output)")
    let id = try #require(try phone("conflicts --plain").records.first?[0])
    try phone.prepare("sync", "conflicts restore \(id)", "sync")
    try [laptop, phone].settle()
    #expect(try laptop.total("Oatly") == 9)
  }

  @Test("is no loss where one side had seen what the other wrote")
  func noLoss() throws {
    let (laptop, phone) = try pair()
    try laptop.prepare("sync", "conflicts")
    try phone.prepare("sync")
    try laptop.prepare("sync", "stock edit Soya --name Rice", "sync")
    try phone.prepare("sync")
    #expect(try laptop("conflicts --json").array("conflicts").isEmpty)
    #expect(try phone("conflicts --json").array("conflicts").count == 1)
    #expect(try phone("conflicts").output.contains("changed"))
  }
}
