import LarderKit
import Libc

/// `larder report`.
enum ReportCommand {
  private static let file = Option(
    "output", short: "o", value: "FILE", values: .file,
    help: "write to FILE; - is standard output")
  private static let open = Option("open", help: "open it in the browser")
  private static let picture = Option(
    "svg", value: "NAME",
    values: .suggested([
      "due", "runs-out", "months", "categories", "shops", "prices", "waste", "stock",
    ]),
    help: "only one picture, as SVG: due, runs-out, months, categories, shops, prices, waste, stock"
  )

  static let command = Command(
    "report", group: "Costs", arguments: [Period.argument],
    options: [Period.since, Period.until, file, open, picture]
  ) { invocation in
    let survey = try invocation.survey()
    let period = try invocation.period(survey.calendar)
    let report = HouseholdReport(survey, since: period.since, until: period.until)
    let text = try text(of: report, invocation)
    let place = try write(text, invocation)
    guard let place else { return invocation.output.write(text) }
    switch invocation.output.mode {
    case .json:
      invocation.output.json(["file": .string(place), "bytes": .number(text.utf8.count)])
    case .plain, .human: invocation.output.line(place)
    }
    if invocation.has(open) { try show(place) }
  }

  private static func text(
    of report: HouseholdReport, _ invocation: Invocation
  ) throws -> String {
    guard let name = invocation[picture] else { return report.page }
    let pictures = report.pictures.filter(\.isDrawn)
    if let found = pictures.first(where: { $0.name == fold(name) }) { return found.file }
    guard !pictures.isEmpty else {
      throw CommandError(
        .failed, "there is nothing to draw yet: no receipts, no dates and no uses are known")
    }
    throw UsageError(
      [.notAmong(name, name: picture.spelling, pictures.map(\.name))], in: invocation.path)
  }

  /// Writes the text to a file and returns its path; nil if the text belongs on standard output.
  private static func write(_ text: String, _ invocation: Invocation) throws -> String? {
    if let path = invocation[file] {
      guard path != "-" else {
        guard !invocation.has(open), invocation.output.mode != .json else {
          throw invocation.unreadable(
            path, for: file.spelling, "a file is needed with \(open.spelling) and --json")
        }
        return nil
      }
      try replace(path, with: text)
      return path
    }
    let output = invocation.output
    let isKept =
      invocation.has(open) || output.mode == .json
      || output.terminal.outputIsTerminal && !invocation.has(picture)
    guard isKept else { return nil }
    guard !invocation.has(picture) else {
      throw CommandError(
        .usage, "a picture needs a file",
        "\(file.usage) names it: larder report --svg \(invocation[picture] ?? "") -o FILE")
    }
    return try invocation.withLarder { try $0.keep(report: text) }
  }

  /// Writes a file; throws if the path has another file than a report.
  private static func replace(_ path: String, with text: String) throws {
    let there = try FileBytes.already(at: path) ?? []
    guard there.isEmpty || HouseholdReport.isReport(there) else {
      throw CommandError(
        .failed, "\(path) is there already and is no report, so it stays as it is",
        "'\(file.usage)' with another name writes the report there")
    }
    try FileBytes.write(Array(text.utf8), to: path)
  }

  /// Opens a file with the system's program for it, and does not wait.
  private static func show(_ path: String) throws {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let started = ChosenProgram(command: program).start([path])
    guard let started, ChildProcess.end(of: started) == 0 else {
      throw CommandError(
        .failed, "the report is written, but '\(program)' could not open it",
        "open it in a browser: \(path)")
    }
  }
}
