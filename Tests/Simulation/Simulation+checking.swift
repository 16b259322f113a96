import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import TestSupport

/// The checks after everybody has synced.
extension Simulation {
  func checkEverything() throws {
    for device in devices { try checkDevice(device) }
    try checkCloud()
    // Devices that sync by git have everything in common, the others only the content of the files.
    let different = Array(devicesWithGit.prefix(1)) + devices.filter { !$0.target.hasGit }
    for device in different {
      try expect(try device.store.unformatted().isEmpty, "a file is not in canonical form")
      if script.isConnected { try checkHousehold(try device.store.read().household, device) }
    }
    try checkHistory(different)
    guard script.seed % 64 == 0 else { return }
    for folder in devices.map(\.root) + remotes.map({ "\(template.place)/\($0).git" }) {
      try Git.run("fsck", "--no-dangling", "--no-progress", in: folder)
    }
  }

  private func checkDevice(_ device: Device) throws {
    try expect(
      try !device.target.hasGit || device.head == devicesWithGit[0].head,
      "\(device.name) has another commit")
    let tree = try device.headTree
    let changed = try device.changedPaths(since: tree)
    try expect(changed.isEmpty, "the work tree of \(device.name) differs at \(changed)")
    let left = try device.allPaths().filter { $0.hasSuffix(".larder-new") }
    try expect(left.isEmpty, "\(left) were left on \(device.name)")
    let repository = device.repository
    let entries = try repository.entries(of: tree).map { [$0.path.text, $0.id.hex] }
    let index = try repository.indexEntries().map { [$0.path.text, $0.id.hex] }
    try expect(entries == index, "the index of \(device.name) differs from what is committed")
    try expect(device.bytes(".git/index.lock") == nil, "a lock was left on \(device.name)")
    let journal = device.bytes(".git/larder/journal")?.split(separator: UInt8(ascii: "\n")).last
    try expect(
      journal?.starts(with: "applied ".utf8) ?? true, "\(device.name) has not done its journal")
    let reading = try device.store.read()
    try expect(reading.edited.isEmpty && reading.plainCommits == 0, "\(device.name) is not done")
  }

  /// Checks that the files have the record's content, and show the numbers of their ledgers.
  private func checkHousehold(_ household: Household, _ device: Device) throws {
    try expect(household.untaken.isEmpty, "not readable: \(household.untaken)")
    guard case .some(.some(let version)) = record.versions[try device.head] else {
      throw Failure("the last commit is a plain one")
    }
    for (key, known) in record.all {
      try expect(
        version.entities[key] == known,
        "\(key) is \(String(describing: version.entities[key])), and was written \(known)")
    }
    try expect(record.all.count == version.entities.count, "something was made up")
    var files: [Kind: [JSON]] = [:]
    for (path, key) in version.paths where ["stock", "batches"].contains(key.folder) {
      guard let json = device.json(path), let kind = Kind(path: path) else {
        throw Failure("\(path) is gone")
      }
      files[kind, default: []].append(json)
      try expect(
        kind != .stockItem || (json["quantityInStock"] == nil) != (json["quantityLoose"] == nil),
        "\(path) shows one number")
      let shown =
        kind == .stockItem
        ? json["quantityLoose"] ?? json["quantityInStock"] : json["quantity"]?["value"]
      let counted = naiveQuantity(json, kind)
      try expect(
        shown?.number == counted, "\(path) shows \(shown?.number ?? "nothing"), not \(counted)")
      let requests = (json["changes"]?.array ?? []).compactMap { $0["request"]?.string }
      try expect(Set(requests).count == requests.count, "\(path) serves a request twice")
    }
    try checkTotals(household, files[.stockItem] ?? [], files[.inventoryItem] ?? [])
    try checkLines(household, files[.stockItem] ?? [], files[.inventoryItem] ?? [])
    try checkFindings(household, device)
  }

  /// Checks that the quantity of a receipt's line counts once, even if several people saved it or
  /// only some of them gave an expiry.
  ///
  /// It applies only if nobody has undone or written single lines of a ledger.
  private func checkLines(_ household: Household, _ items: [JSON], _ batches: [JSON]) throws {
    guard script.steps.allSatisfy({ !$0.action.touchesLedgerLines }) else { return }
    for line in household.all(.receipt).flatMap(\.lines) {
      guard let item = items.first(where: { $0["id"]?.string == line.itemID }) else { continue }
      let batch = batches.first {
        $0["id"]?.string == Identifier.derived(from: "batch", line.id, line.itemID ?? "")
          && $0["status"]?.string != "discarded"
      }
      let brought = Identifier.derived(from: "receipt", line.id)
      let moved = Identifier.derived(from: "move", line.id)
      let ledgers = [item, batch].compactMap { $0?["changes"]?.array }
      let entries = ledgers.flatMap(\.self).filter { $0["id"]?.string == brought }
      // Somebody who gave another number may have undone the entry and added a new one.
      let undoing = ledgers.flatMap(\.self).filter { $0["undoes"]?.string == brought }
      let anew = undoing.compactMap { $0["id"]?.string }
        .map { Identifier.derived(from: "undo", $0) }
      let said = ledgers.flatMap(\.self)
        .filter { $0["id"]?.string.map { ($0 == brought) || anew.contains($0) } ?? false }
        .compactMap { $0["delta"]?.number }
      let sum = ledgers.flatMap { ledger in
        [naiveCount(of: brought, in: ledger), naiveCount(of: moved, in: ledger)]
      }.reduce(Fraction(0), +).text
      try expect(
        sum == "0" || said.contains(sum),
        "\(sum) of \(line.itemName) is counted for line \(line.id), which brought \(said)")
      if Set(entries.compactMap { $0["by"]?.string }).count > 1 { figures.baskets += 1 }
    }
  }

  /// Checks that an item's total is its loose stock and its batches.
  private func checkTotals(_ household: Household, _ items: [JSON], _ batches: [JSON]) throws {
    let own = batches.filter { $0["householdId"]?.string == household.own?.id }
    for item in items {
      guard let entity = item["id"]?.string.flatMap({ household[.stockItem, $0] }) else {
        throw Failure("\(item) is not there")
      }
      let total = Stock(household).total(of: entity)
      let counted = naiveTotal(of: item, among: items, own)
      try expect("\(total)" == counted, "of \(entity.title) there is \(total), not \(counted)")
    }
  }

  private func checkFindings(_ household: Household, _ device: Device) throws {
    let actions = Set(script.steps.map(\.action))
    let now = Instant(milliseconds: device.clock.milliseconds)
    for finding in HouseholdCheck.findings(in: household, now: now) {
      switch finding.kind {
      // Two people may merge one item into two others, and a copied file has the same products.
      case .contestedProduct where actions.isDisjoint(with: [.mergeItems, .handCopy]):
        throw Failure("check finds \(finding)")
      case .otherHousehold(let id) where id != Simulation.otherHousehold:
        throw Failure("check finds \(finding)")
      default: break
      }
    }
  }

  /// Checks that every reported commit is in the history, and everything that people wrote.
  private func checkHistory(_ different: [Device]) throws {
    var blobs: Set<ObjectID> = []
    var texts: Set<String> = []
    for device in different {
      let commits = try commits(of: device)
      for commit in commits { try note(commit, of: device, &blobs, &texts) }
      let told = device.target.hasGit ? devicesWithGit : [device]
      for device in told {
        for commit in device.acknowledged where !commits.contains(commit) {
          throw Failure("\(device.name)'s commit \(commit) is lost")
        }
      }
    }
    for edit in settled where !texts.contains(edit.description) {
      throw Failure("what somebody wrote by hand is lost: \(edit)")
    }
    try expect(notes.isSubset(of: blobs), "notes are lost")
  }

  private func commits(of device: Device) throws -> Set<ObjectID> {
    var commits: Set<ObjectID> = []
    try device.repository.history(from: try device.head) { commit in
      commits.insert(commit.id)
      return true
    }
    return commits
  }

  private func note(
    _ commit: ObjectID, of device: Device, _ blobs: inout Set<ObjectID>, _ texts: inout Set<String>
  ) throws {
    let repository = device.repository
    for entry in try repository.entries(of: try repository.commit(commit).tree)
    where blobs.insert(entry.id).inserted && Kind(path: entry.path) != nil {
      let folder = entry.path.names[0]
      let json = try? JSON(parsing: try repository.readBlob(entry.id))
      for member in json?.members ?? [] {
        if let text = member.value.string { texts.insert("\(folder)/\(member.key)/\(text)") }
      }
    }
  }
}

extension Simulation {
  /// Lets people repair broken files with the newest readable version.
  func mendBrokenFiles() throws {
    // Git may also break a file when it merges lines.
    guard script.steps.contains(where: { [.handBreak, .plainMerge].contains($0.action) }) else {
      return
    }
    for device in devices {
      for path in try device.store.read().household.untaken.keys.sorted() {
        if let bytes = try newestReadable(path, device) {
          note(device, "mends \(path)")
          try device.write(bytes, to: path)
        } else {
          note(device, "removes \(path), which nobody can read")
          try device.remove(path)
        }
      }
    }
  }

  private func newestReadable(_ path: FilePath, _ device: Device) throws -> [UInt8]? {
    let repository = device.repository
    var newest: [UInt8]?
    var failure: (any Error)?
    try repository.history(from: try device.head) { commit in
      do {
        guard let entry = try repository.entry(at: path, in: commit.tree) else { return true }
        let bytes = try repository.readBlob(entry.id)
        guard let json = try? JSON(parsing: bytes), json["id"] != nil else { return true }
        newest = bytes
      } catch {
        failure = error
      }
      return false
    }
    if let failure { throw failure }
    return newest
  }
}
