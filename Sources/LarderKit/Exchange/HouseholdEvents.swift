public import LarderModel

/// A calendar (RFC 5545) of the batches that are due and the shopping list.
///
/// A batch with a last day is an event of that whole day, with an alarm at six in the evening before;
/// an entry of the list is a to-do. The ids stay the same, so a calendar that reads a later text
/// updates its entries.
public struct HouseholdEvents: Sendable {
  public let text: String
  /// The numbers of events and to-dos.
  public let count: (events: Int, todos: Int)

  /// Creates the calendar of some batches and entries.
  ///
  /// Batches without a last day are left out.
  public init(_ batches: [Batch], _ entries: [ShoppingListEntry], in survey: Survey) {
    let events = batches.compactMap { Self.event(of: $0, survey) }
    let todos = entries.map { Self.todo(of: $0, survey) }
    count = (events.count, todos.count)
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Larder//larder//EN"]
    text = (head + (events + todos).flatMap(\.self) + ["END:VCALENDAR"])
      .map { Self.folded($0) + "\r\n" }.joined()
  }

  private static func event(of batch: Batch, _ survey: Survey) -> [String]? {
    guard let day = batch.entity.lastDay else { return nil }
    let title = "\(survey.naming.title(of: batch.entity)): \(batch.quantity)"
    let place = survey.place(of: batch.entity)
    let isGuess = batch.entity.batchDay?.isGuess ?? false
    let word = batch.entity.batchDay?.kind == .bestBefore ? "best before" : "last day"
    let summary = escaped("\(title), \(isGuess ? "about the " : "")\(word)")
    let lines = [
      "BEGIN:VEVENT", "UID:\(batch.id)@larder", "DTSTAMP:\(stamp(batch.updatedAt))",
      // An event without an end lasts one day. An end is not possible for 9999-12-31, which has no
      // next day.
      "DTSTART;VALUE=DATE:\(plain(day))",
      "SUMMARY:\(summary)",
      place.map { "LOCATION:\(escaped($0))" }, batch.notes.map { "DESCRIPTION:\(escaped($0))" },
      "TRANSP:TRANSPARENT",
    ]
    return lines.compactMap(\.self) + alarm(summary) + ["END:VEVENT"]
  }

  /// The alarm of an event, which begins with its day: six hours before that.
  private static func alarm(_ summary: String) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(summary)", "TRIGGER:-PT6H", "END:VALARM"]
  }

  private static func todo(of entry: ShoppingListEntry, _ survey: Survey) -> [String] {
    let item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
    let isOne = entry.desired == Quantity(Number(1), .piece)
    let title = survey.title(of: entry) + (isOne ? "" : ", \(entry.desired)")
    let ticked = entry.entity.register(.isCompleted)?.stamp ?? entry.updatedAt
    let lines = [
      "BEGIN:VTODO", "UID:\(entry.id)@larder", "DTSTAMP:\(stamp(entry.updatedAt))",
      "CREATED:\(stamp(entry.createdAt))", "SUMMARY:\(escaped(title))",
      entry.note.map { "DESCRIPTION:\(escaped($0))" },
      (item?.category ?? entry.entity.category).map { "CATEGORIES:\(escaped($0))" },
      entry.isCompleted ? "STATUS:COMPLETED" : "STATUS:NEEDS-ACTION",
      entry.isCompleted ? "COMPLETED:\(stamp(ticked))" : nil,
      entry.isCompleted ? "PERCENT-COMPLETE:100" : nil, "END:VTODO",
    ]
    return lines.compactMap(\.self)
  }

  /// Returns a day or a moment without separators, as `20261201` and `20261201T183000Z`.
  private static func plain(_ day: Day) -> String { day.description.replacing("-", with: "") }

  private static func stamp(_ instant: Instant) -> String {
    instant.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static func escaped(_ text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n")
    return visible(lines.replacing(["\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"]))
  }

  /// Returns a line folded into pieces of at most 75 bytes; all but the first begin with a space.
  private static func folded(_ line: String) -> String {
    var folded = ""
    var length = 0
    for scalar in line.unicodeScalars {
      let width = UTF8.width(scalar)
      if length + width > 75 {
        folded += "\r\n "
        length = 1
      }
      folded.unicodeScalars.append(scalar)
      length += width
    }
    return folded
  }
}
