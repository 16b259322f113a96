import LarderKit

/// `larder location`: the places where things are kept.
enum LocationCommand {
  static let location = Argument(
    "LOCATION", values: .named(.all(.storageLocation)),
    help: "a location's name or a part of it, its file or id")
  static let locations = Argument(
    "LOCATION", .oneOrMore, values: .named(.all(.storageLocation)),
    help: "locations' names or parts of them, files or ids")

  static let command = Command(
    "location", group: "Household",
    parts: [
      .init("list") { LocationList.list },
      .init("new") { LocationNew.command.withDryRun },
      .init("edit") { LocationEdit.command.withDryRun },
      .init("archive") { LocationArchive.archive.withDryRun },
      .init("restore") { LocationArchive.restore.withDryRun },
    ], defaultSubcommand: "list")
}

/// `larder location list`.
enum LocationList {
  private static let all = Option("all", short: "a", help: "show archived locations too")

  static let list = Command.list(
    "location list", of: LocationRow.self, all: all,
    first: "no locations yet: 'larder location new NAME' adds one")
}

/// A location as a row of the list.
struct LocationRow {
  let location: Entity
  /// The batches there with something left, the first to expire first.
  let batches: [Entity]
  let isExpired: Bool
  /// What it means that the first expiry day there has passed.
  private let passed: PassedDay?

  private init(_ location: Entity, _ batches: [Entity], today: Day) {
    self.location = location
    self.batches = batches
    isExpired = batches.contains { $0.isExpired(on: today) }
    passed = batches.first?.passedDay(on: today)
  }

  var isCold: Bool { location.flag(.isColdStorage) }

  /// The first expiry day of the batches there.
  var expiry: BatchDay? { batches.firstDay }

  /// Returns the rows of the household's locations by name.
  static func all(in survey: Survey, isWhole: Bool) -> [LocationRow] {
    let batches = Dictionary(grouping: survey.activeBatches) { $0.locationID ?? "" }
    return survey.naming.all(.storageLocation)
      .filter { isWhole || !$0.isTombstone }
      .map { (key: (fold($0.title), $0.id), location: $0) }
      .sorted { $0.key < $1.key }
      .map { place in
        LocationRow(
          place.location, batches[place.location.id] ?? [], today: survey.calendar.today)
      }
  }
}

extension LocationRow: ListRow {
  var entities: [Entity] { [location] }
  static var kind: Kind { .storageLocation }

  static var listing: Listing<LocationRow> {
    Listing(
      columns: columns,
      searched: ("the name and the note", { row, _ in [row.location.title, row.location.note] }),
      states: [
        .init("cold", holds: \.isCold), .init("archived", holds: \.location.isTombstone),
        .init("expired", holds: \.isExpired),
      ])
  }

  private static var columns: [Column<LocationRow>] {
    [
      Column("name") { .text($0.location.title) }
        .inTable("Location", minimumWidth: 12) { .archivable($0.location, $0.location.title) }
        .inRecord(1),
      Column("isColdStorage", "cold", remark: "yes or no") { .flag($0.isCold) }
        .inTable("Cold", need: .little) { .init($0.isCold ? "cold" : "") }
        .inRecord(2),
      Column("batchCount", "batches", remark: "those with something left") {
        .number(Number($0.batches.count))
      }
      .inTable("Batches", .right).inRecord(3).inJSON(1),
      Column("expiry", remark: "the first expiry day there") { FilterValue($0.expiry?.day) }
        .inTable("Expires first") { .init($0.expiry?.description ?? "", $0.passed?.style) }
        .inRecord(4).inJSON(2),
      Column("note") { FilterValue($0.location.note) },
    ] + Column.identity(record: 5)
  }
}
