import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import TestSupport

/// What has to hold once everybody has synced.
extension RandomDevices {
  func checkEverything() throws {
    guard let first = devices.first else { return }
    for device in devices {
      try expect(try device.head == first.head, "\(device.name) has another commit")
      let status = try device.git("status", "--porcelain", "--untracked-files=all")
      try expect(status == "", "\(device.name) is not clean: \(status)")
      _ = try device.git("fsck", "--no-dangling", "--no-progress")
      for commit in device.commits {
        try expect(
          device.tryGit("merge-base", "--is-ancestor", commit, "HEAD"),
          "\(device.name)'s commit \(commit) is lost")
      }
      let unformatted = try device.store.unformatted()
      try expect(unformatted.isEmpty, "not canonical: \(unformatted)")
    }
    let household = try first.store.read().household
    try expect(household.unreadable.isEmpty, "not readable: \(household.unreadable)")
    try checkEntries(household)
    try checkHistory(first, household)
  }

  private func checkEntries(_ household: Household) throws {
    for (key, written) in entries {
      for entry in written.values {
        let found = household[key]?.ledger[entry.id]
        // Of two that came from one cause, such as a receipt voided twice, the earlier stands, or the smaller.
        let isTwin = found.map { $0.event == entry.event && $0.at <= entry.at } ?? false
        try expect(
          found == entry || isTwin,
          "the ledger entry \(entry) of \(key) is \(household[key]?.ledger[entry.id] as Any)")
        let text = household[key].map { String(decoding: $0.fileBytes, as: UTF8.self) } ?? ""
        let count = text.split(separator: "{ \"id\": \"\(entry.id)\"").count - 1
        try expect(count == 1, "the ledger entry \(entry.id) is there \(count) times")
      }
    }
  }

  /// The household is what every commit of anybody's has, and later: no field went back.
  private func checkHistory(_ device: RandomDevice, _ household: Household) throws {
    var values: Set<String> = []
    for hex in try device.git("rev-list", "HEAD").split(separator: "\n") {
      guard let version = try device.store.household(at: String(hex)) else { continue }
      for entity in version.entities {
        let key = entity.key
        for register in entity.registers {
          if let text = register.value?.string {
            values.insert("\(key.kind)/\(register.name)/\(text)")
          }
          guard let final = household[key]?.register(register.name) else {
            try fail("\(key) has no \(register.name), and \(hex) has")
          }
          try expect(
            final.stamp >= register.stamp,
            "\(register.name) of \(key) is older than in \(hex): \(final), \(register)")
          try expect(
            final.stamp > register.stamp || household[key]?.joined(with: entity) == household[key],
            "\(register.name) of \(key) is not joined with \(hex)")
        }
        for entry in entity.ledger.entries {
          try expect(
            household[key]?.ledger[entry.id] != nil, "\(entry) of \(key) in \(hex) is lost")
        }
      }
    }
    for edit in devices.flatMap(\.settledEdits) {
      try expect(
        values.contains("\(edit.kind)/\(edit.field)/\(edit.value)"),
        "what somebody wrote by hand is lost: \(edit)")
    }
  }

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { try fail(text()) }
  }
}
