import LarderKit

/// `larder location list`.
enum LocationList {
  private static let all = Option("all", short: "a", help: "show archived locations too")

  static let list = Command(
    "list", summary: "List locations with their batches",
    discussion: LocationRow.listing.discussion,
    examples: [
      Example("larder location"), Example("larder location list is:cold --sort expiry"),
      Example("larder location list batches:0", "where nothing is"),
    ],
    arguments: [ListOptions.filters.choosing(from: LocationRow.listing)],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all],
    records: LocationRow.forms, isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let all = LocationRow.all(in: survey, withArchived: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, in: survey)
    let hasLocations = !survey.naming.all(.storageLocation).isEmpty
    let none = hasLocations ? nil : "no locations yet: 'larder location new NAME' adds one"
    invocation.list(rows, in: survey, none: none)
  }
}
