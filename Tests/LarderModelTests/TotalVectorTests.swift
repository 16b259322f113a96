import LarderJSON
import LarderModel
import LarderText
import TestSupport
import Testing

@Suite("The vectors of an item's total")
struct TotalVectorTests {
  @Test("what files of an item and its batches come to in all, and what is there of each")
  func totals() throws {
    let vectors = try Vector.all(in: "totals")
    #expect(vectors.count >= 25)
    for vector in vectors {
      let household = try household(vector)
      // As the cache keeps them, and as they are read.
      for household in [household, household.compacted()] {
        let stock = Stock(household)
        let item = try #require(household.all(.stockItem).first, "\(vector)")
        #expect(stock.total(of: item) == number(vector["total"]), "\(vector)")
        let piles = stock.all(.inventoryItem) + stock.all(.stockItem)
        for (path, there) in (vector["there"]?.members ?? []).map({ ($0.key, $0.value) }) {
          let key = try #require(household.key(at: FilePath(path)), "\(vector), \(path)")
          let pile = piles.first { $0.key == key }
          #expect(pile?.quantity.value == number(there), "\(vector), \(path)")
        }
      }
      #expect(try vector.isCanonical(), "\(vector)")
    }
  }

  private func household(_ vector: Vector) throws -> Household {
    var household = Household()
    for file in vector["files"]?.members ?? [] {
      let kind: Kind = file.key.hasPrefix("stock/") ? .stockItem : .inventoryItem
      let bytes = file.value.writeFile()
      let entity = try #require(Entity(try EntityFile(kind, parsing: bytes)), "\(vector)")
      #expect(entity.fileBytes == bytes, "\(vector), \(file.key)")
      household.put(entity, at: FilePath(file.key))
    }
    return household
  }

  private func number(_ json: JSON?) -> Number? { json?.number.flatMap { Number($0) } }
}

extension Household {
  /// The same entities as the cache keeps them.
  fileprivate func compacted() -> Household {
    var household = Household()
    for entity in entities { household.put(entity.compact, at: path(of: entity.key) ?? "") }
    return household
  }
}
