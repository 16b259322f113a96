import Foundation
import LarderJSON
import TestSupport
import Testing

@Suite("conflicts")
struct ConflictsCommandTests {
  /// Milk was renamed, and eggs are wanted, on both devices; the later writes are the laptop's.
  private func apart() throws -> Pair {
    let pair = try Pair("stock new Milk --full 6", "stock new Eggs --in-stock 10 --full 12")
    try pair.prepare("phone", "stock edit milk --name Oatly", "stock edit eggs --full 20")
    try pair.prepare(
      "laptop", "stock edit milk --name 'Oat milk'", "stock edit eggs --full 24",
      "stock use eggs")
    return pair
  }

  @Test("sync, status and the list tell what lost, with who wrote it and what stands")
  func told() throws {
    let pair = try apart()
    #expect(!(try pair("laptop", "sync").errors.contains("lost")))
    #expect(
      try pair("laptop", "conflicts").errors == "no value that lost in a merge is left to settle\n")
    let synced = try pair("phone", "sync")
    let sentence = "2 values lost to later writes in the merge: Eggs (full stock), Oat milk (name)"
    #expect(
      synced.errors.contains("warning: \(sentence)\nhint: 'larder conflicts' shows both values"))
    // The other device receives the merge, and is told as well.
    let received = try pair("laptop", "sync --json").json()
    let lost = try #require(received["lost"] as? [[String: Any]])
    #expect(lost.map { $0["name"] as? String } == ["Eggs", "Oat milk"])
    for device in ["laptop", "phone"] {
      let list = try pair(device, "conflicts --plain").records
      #expect(
        list.map { $0[0] } == (try pair.conflicts("laptop")), "the ids are the same everywhere")
      #expect(
        list.map { Array($0.dropFirst()) } == [
          ["Eggs", "full stock", "24", "20", "phone, Sat 2026-11-21 12:05", ""],
          ["Oat milk", "name", "Oat milk", "Oatly", "phone, Sat 2026-11-21 12:04", ""],
        ])
      #expect(
        try pair.output(device, "status").contains(
          "2 values lost to later writes in the last merge: Eggs (full stock), Oat milk (name)\n"))
    }
  }

  @Test("a sync that adopts hand edits tells the same as a command that reads the history anew")
  func adopted() throws {
    let pair = try Pair("stock new Milk --full 6", "stock new Eggs --in-stock 10 --full 12")
    for (device, full) in [("phone", "20"), ("laptop", "24")] {
      // Not as larder writes it.
      try pair.edit(
        device, "stock", "eggs", "  \"quantityFullStock\": 12", "\"quantityFullStock\":\(full)")
      try pair.edit(
        device, "stock", "milk", "\"name\": \"Milk\"", "\"name\": \"Milk of \(device)\"")
      try pair.prepare(device, "stock list")
    }
    try pair.prepare("laptop", "sync")
    for device in ["phone", "laptop"] {
      let told = try values(pair.output(device, "sync --json"), "lost")
      #expect(told.count == 2)
      #expect(told == (try values(pair.output(device, "conflicts --json"), "conflicts")))
    }
  }

  /// Both values of each loss, as JSON has them.
  private func values(_ output: String, _ member: String) throws -> [[JSON]] {
    let losses = try #require(try JSON(parsing: Array(output.utf8))[member]?.array)
    return try losses.map { [try #require($0["kept"]), try #require($0["lost"])] }
  }

  @Test("what brings an entry back counts as written, also where the entry had it before")
  func revived() throws {
    let pair = try Pair(
      "stock new Coffee --unit gram --full 1000", "shop buy coffee 500g", "shop remove coffee")
    try pair.prepare("phone", "shop buy coffee 1kg")
    try pair.prepare("laptop", "shop buy coffee 500g")
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair(device, "shop --plain").output.contains("500"))
      let list = try pair(device, "conflicts --plain").records
      #expect(list.map { $0[3] + ", not " + $0[4] } == ["500 g, not 1 kg"], "\(list)")
    }
  }

  @Test("the name of a thing is enough where one of its values lost, until it is settled")
  func byName() throws {
    let pair = try apart()
    try pair.settle()
    try pair.prepare("laptop", "conflicts restore eggs")
    #expect(try pair.output("laptop", "stock show eggs").contains("20"))
    try pair.prepare("laptop", "conflicts dismiss 'oat milk'")
    let settled = try pair("laptop", "conflicts restore oat milk")
    #expect(settled.code == 2)
    #expect(settled.errors.contains("as 'larder conflicts' lists them"))
    #expect(try pair("phone", "conflicts show eg").output.contains("field: full stock"))
    #expect(try pair("phone", "conflicts show ham").code == 2)
    #expect(try pair("phone", "conflicts show oat milk").output.contains("field: name"))
  }

  @Test("one is shown whole, and restored as a new edit that goes to all devices")
  func restore() throws {
    let pair = try apart()
    try pair.settle()
    let ids = try pair.conflicts("laptop")
    let id = ids[1]
    #expect(
      try pair.output("laptop", "conflicts show \(id)").replacing(
        #/stock/milk-[^\n]*/#, with: "FILE")
          == """
          what: Oat milk, FILE
          field: name
          merged: Sat 2026-11-21 12:10
          kept: Oat milk, by laptop, Sat 2026-11-21 12:06
          lost: Oatly, by phone, Sat 2026-11-21 12:04
          now: Oat milk

          """)
    let before = try pair.git("laptop", "rev-list", "--count", "HEAD")
    #expect(
      try pair.output("laptop", "conflicts restore \(id)") == "Oatly: name: Oat milk → Oatly\n")
    let count = try pair.git("laptop", "rev-list", "--count", "HEAD")
    #expect(Int(count.prefix { $0 != "\n" }) == Int(before.prefix { $0 != "\n" }).map { $0 + 1 })
    // The ids stay, and the list and the status know what became of them.
    #expect(
      try pair("laptop", "conflicts --plain").records.map { [$0[0], $0[6]] }
        == [[ids[0], ""], [id, "restored"]])
    #expect(try pair.output("laptop", "status").contains("1 value lost to later writes"))
    #expect(
      try pair("laptop", "conflicts restore \(id)").errors
        == "nothing to restore: it is already so\n")
    try pair.settle()
    #expect(try pair.item("Oatly", on: "phone")["name"] as? String == "Oatly")
    // A restore is a command like others.
    try pair.prepare("laptop", "undo", "stock edit eggs --full 7")
    #expect(
      try pair("laptop", "conflicts --plain").records.map { [$0[0], $0[6]] }
        == [[ids[0], "changed"], [id, ""]])
  }

  @Test("merges of plain git through the driver are read like those of a sync, on every device")
  func plainMerge() throws {
    let pair = try apart()
    try pair.prepare("laptop", "sync")
    try pair.git("phone", "fetch", "-q", "origin")
    try pair.git("phone", "merge", "-q", "--no-edit", "origin/main")
    let expected = [
      ["Eggs", "full stock", "24", "20", "phone, Sat 2026-11-21 12:05", ""],
      ["Oat milk", "name", "Oat milk", "Oatly", "phone, Sat 2026-11-21 12:04", ""],
    ]
    #expect(
      try pair("phone", "conflicts --plain").records.map { Array($0.dropFirst()) } == expected)
    #expect(try pair.output("phone", "status").contains("2 values lost to later writes"))
    try pair.prepare("phone", "adopt")
    #expect(
      try pair("phone", "conflicts --plain").records.map { Array($0.dropFirst()) } == expected)
    try pair.settle()
    #expect(
      try pair("laptop", "conflicts --plain").records.map { Array($0.dropFirst()) } == expected)
  }

  @Test("an edit of plain git that lost is listed with its author")
  func plainCommit() throws {
    let pair = try Pair("stock new Milk")
    try pair.edit("laptop", "stock", "milk", "\"name\": \"Milk\"", "\"name\": \"Hand milk\"")
    try pair.git("laptop", "commit", "-qam", "by hand")
    try pair.prepare("phone", "stock edit milk --name 'Phone milk'", "sync")
    try pair.git("laptop", "fetch", "-q", "origin")
    try pair.git("laptop", "merge", "-q", "--no-edit", "origin/main")
    let records = try pair("laptop", "conflicts --plain").records
    #expect(records.count == 1)
    #expect(records.first?[3...4] == ["Phone milk", "Hand milk"])
    #expect(records.first?[5].hasPrefix("Ada, with git, Sat 2026-11-21 12:0") == true)
  }

  @Test(
    "a value is told with its writer, also if its file had another place before or has one since",
    arguments: ["folder", "exchange"])
  func moved(how: String) throws {
    let pair = try Pair("stock new Milk --full 6", "stock new Eggs --full 12")
    try pair.prepare("laptop", "stock edit milk --full 7", "stock edit eggs --full 13")
    let stock = pair.root("laptop") + "/stock"
    let (eggs, milk) = (
      try pair.file("laptop", "stock/eggs"), try pair.file("laptop", "stock/milk")
    )
    if how == "folder" {
      try FileManager.default.createDirectory(
        atPath: stock + "/dairy", withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: milk, toPath: stock + "/dairy/milk.json")
    } else {
      try FileManager.default.moveItem(atPath: milk, toPath: stock + "/kept")
      try FileManager.default.moveItem(atPath: eggs, toPath: milk)
      try FileManager.default.moveItem(atPath: stock + "/kept", toPath: eggs)
    }
    try pair.prepare("laptop", "adopt", "stock edit milk --full 8")
    try pair.prepare("phone", "stock edit milk --full 9", "stock edit eggs --full 14")
    try pair.settle()
    for device in ["laptop", "phone"] {
      let list = try pair(device, "conflicts --plain").records
      #expect(
        list.map { $0[1...5].joined(separator: ", ") }.sorted() == [
          "Eggs, full stock, 14, 13, laptop, Sat 2026-11-21 12:05",
          "Milk, full stock, 9, 8, laptop, Sat 2026-11-21 12:07",
        ])
    }
  }

  @Test("quantities never lose, and what both wrote alike did not either")
  func noConflict() throws {
    let pair = try Pair("stock new Eggs --in-stock 10 --full 12", "stock new Milk")
    for device in ["laptop", "phone"] {
      try pair.prepare(
        device, "stock use eggs 2", "stock count milk 3", "stock edit eggs --full 6",
        "shop buy eggs")
    }
    try pair.settle()
    #expect(try pair("laptop", "conflicts --plain").output == "")
    #expect(!(try pair.output("laptop", "status").contains("lost")))
  }

  @Test("a receipt's lines that lost can be restored, and the stock follows")
  func receiptLines() throws {
    let pair = try Pair("stock new Milk", "receipt save --shop Corner --line Milk=3@@3.00")
    try pair.prepare("phone", "receipt edit corner --line Milk=5")
    try pair.prepare("laptop", "receipt edit corner --line Milk=4@@4.00")
    // Both corrections count, and check tells that the receipt says something else.
    try pair.settle(finding: 1)
    #expect(
      try pair("laptop", "conflicts --plain").records.map { Array($0[1...4]) }
        == [["Corner", "lines", "4 of Milk for 4.00", "5 of Milk for 3.00"]])
    try pair.prepare("laptop", "conflicts restore \(pair.conflicts("laptop")[0])")
    let receipt = try #require(try pair("laptop", "receipt --json").array("items").first)
    let line = (receipt["items"] as? [[String: Any]])?.first
    #expect(line?["quantity"] as? Int == 5)
    try pair.prepare("laptop", "receipt void corner", "receipt restore corner")
    #expect(try pair("laptop", "check").code == 0)
  }

  @Test("the list is cut at a limit, and any beginning of an id names a value")
  func limit() throws {
    let pair = try apart()
    try pair.settle()
    let ids = try pair.conflicts("laptop")
    let cut = try pair("laptop", "conflicts --limit 1 --plain")
    #expect(cut.records.map { $0[0] } == [ids[0]])
    #expect(cut.errors == "older ones are left out; --limit 0 shows all\n")
    #expect(try pair("laptop", "conflicts list --limit 0").errors.contains("left out") == false)
    let shown = try pair("laptop", "conflicts show \(ids[1].prefix(4)) --json").json()["conflict"]
    let conflict = try #require(shown as? [String: Any])
    #expect(conflict["conflict"] as? String == ids[1])
    #expect(
      (conflict["lost"] as? [String: Any])?["fields"] as? [String: String] == ["name": "Oatly"])
    #expect(try pair("laptop", "conflicts show 00000000").code == 3)
    #expect(try pair("laptop", "conflicts show 3").code == 2)
    #expect(try pair("laptop", "conflicts restore two").code == 2)
  }

  @Test("an id names the same value after other merges, so no other one is restored by mistake")
  func stable() throws {
    let pair = try apart()
    try pair.settle()
    let ids = try pair.conflicts("laptop")
    try pair.prepare("phone", "stock edit eggs --category Cold")
    try pair.prepare("laptop", "stock edit eggs --category Dairy")
    try pair.settle()
    #expect(Array(try pair.conflicts("laptop").dropFirst()) == ids)
    #expect(
      try pair.output("laptop", "conflicts restore \(ids[1])") == "Oatly: name: Oat milk → Oatly\n")
  }

  @Test("one that is dismissed, or all, is settled on this device, and still in the history")
  func dismissed() throws {
    let pair = try apart()
    try pair.settle()
    let ids = try pair.conflicts("laptop")
    let dismissed = try pair("laptop", "conflicts dismiss \(ids[1])")
    #expect(
      dismissed.output == """
        dismissed \(ids[1]): Oat milk: name: Oat milk won, Oatly lost (phone, Sat 2026-11-21 12:04)

        """)
    #expect(try pair.conflicts("laptop") == [ids[0]])
    #expect(try pair.output("laptop", "status").contains("1 value lost to later writes"))
    #expect(try pair.conflicts("phone") == ids)
    #expect(try pair.git("laptop", "status", "--porcelain").isEmpty)
    #expect(try pair("laptop", "conflicts dismiss --all").code == 0)
    #expect(try pair.conflicts("laptop").isEmpty)
    #expect(!(try pair.output("laptop", "status").contains("lost")))
    #expect(
      try pair("laptop", "conflicts dismiss --all").errors == "there is nothing to dismiss\n")
    #expect(try pair("laptop", "conflicts show \(ids[0])").code == 0)
    #expect(
      try pair.output("laptop", "conflicts restore \(ids[1])") == "Oatly: name: Oat milk → Oatly\n")
    #expect(try pair("laptop", "conflicts dismiss").code == 2)
    #expect(try pair("laptop", "conflicts dismiss \(ids[0]) --all").code == 2)
    #expect(try pair("laptop", "conflicts dismiss \(ids[0]) 00000000").code == 3)
  }
}
