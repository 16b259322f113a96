import LarderJSON
import LarderKit
import LarderModel

/// `larder location list`.
enum LocationList {
  private static let all = Option("all", short: "a", help: "show archived locations too")

  static let list = Command(
    "list", summary: "List locations with their batches",
    discussion: ListOptions.discussion(words: "the name and the note") + """


      Fields: name, isColdStorage or cold (yes or no), batchCount or batches (the number of \
      batches with something left), expiry (the first expiry day there), note, createdAt, \
      updatedAt, and any other field of your files.
      States: is:cold, is:expired, is:archived.
      """,
    examples: [
      Example("larder location"), Example("larder location list is:cold --sort expiry"),
      Example("larder location list batches:0", "where nothing is"),
    ],
    arguments: [ListOptions.filters],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all]
  ) { invocation in
    let survey = try invocation.survey()
    let all = LocationRow.all(in: survey, withArchived: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, with: LocationRow.listing(survey.calendar))
    let hasLocations = !survey.naming.all(.storageLocation).isEmpty
    let none =
      hasLocations ? "nothing to show" : "no locations yet: 'larder location new NAME' adds one"
    invocation.output.list(rows, in: survey, none: none, LocationRow.table)
  }
}

extension LocationRow: ListRow {
  var entities: [Entity] { [location] }

  fileprivate static func table(_ rows: [LocationRow]) -> Table {
    Table(
      columns: [
        .init("Location", minimumWidth: 12), .init("Cold"), .init("Batches", .right),
        .init("Expires first"),
      ],
      rows: rows.map { row in
        let isArchived = row.location.isTombstone
        return [
          .init(row.location.title + (isArchived ? " (archived)" : ""), isArchived ? .dim : nil),
          .init(row.isCold ? "cold" : ""), .init(String(row.batches.count)),
          .init(row.expiry?.description ?? "", row.isExpired ? .red : nil),
        ]
      })
  }

  /// Returns the record: name, yes or no for cold, number of batches, first expiry day, id.
  func fields(in survey: Survey) -> [String] {
    [
      location.title, isCold ? "yes" : "no", String(batches.count), expiry?.description ?? "",
      location.id,
    ]
  }

  func json(in survey: Survey) -> [JSON] {
    var computed = [JSONMember("batchCount", Number(batches.count).json)]
    if let expiry { computed.append(JSONMember("expiry", .string(expiry.description))) }
    return [survey.listed(location, computed)]
  }
}
