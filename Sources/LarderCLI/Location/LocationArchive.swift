import LarderKit

/// `larder location archive` and `larder location restore`.
enum LocationArchive {
  static let archive = Command("location archive", arguments: [LocationCommand.locations]) {
    invocation in
    let change = try invocation.mark(
      LocationCommand.locations, .storageLocation, .live, .isArchived, true, subject: "archive"
    ) { location, survey in try survey.refuseOthers(location) }
    let rows = LocationRow.all(in: change.after, isWhole: true)
      .filter { change.own.contains($0.location.key) }
    let left = rows.flatMap(\.batches)
    invocation.output.report(
      change, ["batches": .array(left.map { change.after.listed($0) })],
      lines: rows.map(\.archivedSentence))
    if !left.isEmpty {
      invocation.output.hint("'larder stock move BATCH LOCATION' moves a batch elsewhere")
    }
  }

  static let restore = Command("location restore", arguments: [LocationCommand.locations.ofDeleted])
  { invocation in
    let change = try invocation.mark(
      LocationCommand.locations, .storageLocation, .deleted, .isArchived, false,
      subject: "restore"
    ) { location, survey in try survey.refuseOthers(location) }
    invocation.reportRestored(change)
  }
}

extension LocationRow {
  /// The sentence after archiving, such as `archived Cellar`, with the number of batches still
  /// there.
  fileprivate var archivedSentence: String {
    guard !batches.isEmpty else { return "archived \(location.title)" }
    let count = counted(batches.count, "batch", "batches")
    return "archived \(location.title), with \(count) still there"
  }
}
