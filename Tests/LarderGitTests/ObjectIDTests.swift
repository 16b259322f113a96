import LarderGit
import Testing

@Suite struct ObjectIDTests {
  @Test("hexadecimal digits survive the way in and out")
  func roundTrip() throws {
    let hex = "0123456789abcdef0123456789ABCDEF01234567"
    let id = try #require(ObjectID(hex: hex))
    #expect(id.hex == hex.lowercased())
    #expect(id.short == "0123456")
    #expect("\(id)" == hex.lowercased())
    #expect(ObjectID(bytes: id.bytes[...]) == id)
  }

  @Test(
    "anything but 40 hexadecimal digits is no name",
    arguments: [
      "", "0123456", String(repeating: "g", count: 40), String(repeating: "0", count: 41),
    ])
  func malformed(text: String) {
    #expect(ObjectID(hex: text) == nil)
  }

  @Test("names are ordered as their digits are, at every byte")
  func order() throws {
    let low = try #require(ObjectID(bytes: [UInt8](repeating: 7, count: 20)[...]))
    for place in 0..<20 {
      var bytes = low.bytes
      bytes[place] = 0xff
      let high = try #require(ObjectID(bytes: bytes[...]))
      #expect(low < high)
      #expect(low.hex < high.hex)
    }
  }
}
