import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Taking changes back")
struct UndoTests {
  /// A household after one more edit.
  private func edited(
    _ household: Household, _ now: Instant, _ device: String = "phone",
    _ body: (inout Edit, Writer) throws -> Void
  ) rethrows -> Household {
    var edit = Edit(household)
    try body(&edit, writer(now, device: device))
    return edit.after
  }

  private func reversed(
    _ after: Household, from before: Household, in current: Household, _ now: Instant,
    _ device: String = "phone"
  ) -> Household {
    edited(current, now, device) { edit, writer in
      edit.takeBack(after.differences(from: before), by: writer)
    }
  }

  @Test("undo and redo in turns give the number before and the one after, whoever does it")
  func turns() throws {
    let start = household(try item(loose: "5"))
    let used = try edited(start, moment(11)) { edit, writer in
      _ = try edit.take(pieces(2), from: try edit.after.milk, by: writer)
    }
    var states = [start, used]
    for turn in 0..<8 {
      let next = reversed(
        states[turn + 1], from: states[turn], in: states[turn + 1], moment(12 + turn),
        turn.isMultiple(of: 3) ? "phone" : "laptop")
      #expect(try next.stock() == (turn.isMultiple(of: 2) ? "5" : "3"))
      states.append(next)
    }
    // All versions joined in any order are the last one.
    let all = states.shuffled().reduce(start) { $0.joined(with: $1) }
    #expect(all.texts == states.last?.texts)
  }

  @Test("one undo on two devices apart counts once, and so does one redo")
  func apart() throws {
    let start = household(try item(loose: "5"))
    let used = try edited(start, moment(11)) { edit, writer in
      _ = try edit.take(pieces(2), from: try edit.after.milk, by: writer)
    }
    let one = reversed(used, from: start, in: used, moment(12), "phone")
    let other = reversed(used, from: start, in: used, moment(13), "laptop")
    let joined = one.joined(with: other)
    #expect(try joined.stock() == "5")
    #expect(joined.texts == other.joined(with: one).texts)
    let again = reversed(one, from: used, in: joined, moment(14), "phone")
    let too = reversed(other, from: used, in: joined, moment(15), "laptop")
    #expect(try again.joined(with: too).stock() == "3")
    // And once more, on one device before the other has heard of the redo.
    let back = reversed(again, from: joined, in: again, moment(16))
    #expect(try back.joined(with: too).stock() == "5")
  }

  @Test("nothing is written by taking back what is taken back already")
  func twice() throws {
    let start = household(try item(loose: "5"))
    let used = try edited(start, moment(11)) { edit, writer in
      _ = try edit.take(pieces(2), from: try edit.after.milk, by: writer)
      edit.write([("category", .string("Dairy"))], to: try edit.after.milk.key, now: writer.now)
    }
    let undone = reversed(used, from: start, in: used, moment(12))
    #expect(try undone.milk.category == nil)
    #expect(reversed(used, from: start, in: undone, moment(13)).texts == undone.texts)
  }

  @Test("a group goes back as one, and is in the way as one")
  func group() throws {
    let start = household(try item(unit: .gram, full: "500"))
    let changed = try edited(start, moment(11)) { edit, writer in
      edit.write(
        [("quantityFullStock", .number("2")), ("unit", .string("kilogram"))],
        to: try edit.after.milk.key, now: writer.now)
    }
    let differences = changed.differences(from: start)
    let undone = reversed(changed, from: start, in: changed, moment(12))
    #expect(try undone.milk.unit == .gram)
    #expect(try undone.milk.fullStock == Number(500))
    let later = try edited(changed, moment(13)) { edit, writer in
      edit.write(
        [("quantityFullStock", .number("3"))], to: try edit.after.milk.key, now: writer.now)
    }
    let writes = Edit(later).laterWrites(than: differences)
    #expect(writes.map(\.content) == [.fields(["quantityFullStock", "unit"])])
    #expect(writes.first?.isSameValue == false)
  }

  @Test("a unit does not go back under what was counted in the new one")
  func unit() throws {
    let start = household(try item(full: "2"))
    let changed = try edited(start, moment(11)) { edit, writer in
      edit.write([("unit", .string("liter"))], to: try edit.after.milk.key, now: writer.now)
    }
    let used = try edited(changed, moment(12)) { edit, writer in
      _ = try edit.add(Quantity(Number(3), .liter), to: try edit.after.milk, by: writer)
    }
    let writes = Edit(used).laterWrites(than: changed.differences(from: start))
    #expect(writes.count == 1)
    guard case .entry(let entry)? = writes.first?.content else {
      Issue.record("no entry: \(writes)")
      return
    }
    #expect(entry.quantity == Quantity(Number(3), .liter))
  }

  @Test("an entry that people undid under an id of their own is not counted twice by a redo")
  func handWrittenUndo() throws {
    let start = household(try item(loose: "5"))
    let used = try edited(start, moment(11)) { edit, writer in
      _ = try edit.take(pieces(2), from: try edit.after.milk, by: writer)
    }
    let entry = try #require(try used.milk.ledger.entries.last)
    let byHand = try edited(used, moment(12)) { edit, _ in
      var milk = try edit.after.milk
      milk.record(
        LedgerEntry(
          id: uuid(77), at: moment(12), .undoes(entry.id), unit: .piece, why: .undo, by: "edit"))
      edit.put(milk)
    }
    let undone = reversed(used, from: start, in: used, moment(13))
    let both = byHand.joined(with: undone)
    var redone = reversed(undone, from: used, in: both, moment(14))
    redone = reversed(byHand, from: used, in: redone, moment(15))
    #expect(try redone.stock() == "3")
    #expect(try reversed(used, from: start, in: redone, moment(16)).stock() == "5")
  }

  @Test(
    "what others put into a batch, or took of it, counts after its maker has taken it back",
    arguments: [(3, "13"), (-2, "8")])
  func madeAndTakenBack(number: Int, total: String) throws {
    let start = household(try home(), try item(loose: "10"), try place())
    var details = BatchDetails(productID: uuid(100))
    details.locationID = uuid(300)
    var made = Edit(start)
    _ = try made.add(pieces(2), details, by: writer(moment(10)))
    let batch = try #require(made.after.all(.inventoryItem).first)
    var other = Edit(made.after)
    let laptop = writer(moment(11), device: "laptop")
    if number > 0 {
      _ = try other.add(pieces(number), details, by: laptop)
    } else {
      _ = try other.take(pieces(-number), fromBatch: batch, by: laptop)
    }
    var undone = Edit(made.after)
    undone.takeBack(made.after.differences(from: start), by: writer(moment(12)))
    #expect(try undone.after.stock() == "10")
    let joined = undone.after.joined(with: other.after, base: made.after)
    #expect(try joined.stock() == total)
    #expect(joined.texts == other.after.joined(with: undone.after, base: made.after).texts)
  }
}
