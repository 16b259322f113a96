import LarderKit

/// `larder export`: writes the household's data for other programs.
enum ExportCommand {
  static let command = Command(
    "export", group: "Household",
    parts: [
      .init("csv") { ExportCSV.command },
      .init("json") { JSONCopy.export },
      .init("hledger") { HledgerExport.command },
      .init("todo.txt") { TodoCommand.export },
      .init("ics") { CalendarExport.command },
    ])
}

/// The result of an export: a text for another program, on standard output or in a file.
struct ExportedText {
  static let file = Option(
    "output", short: "o", value: "FILE", values: .file,
    help: "write to FILE instead of standard output")

  let bytes: [UInt8]
  /// The number of things in the text, in words.
  let told: String
  /// Whether the text is one JSON object already, so `--json` changes nothing.
  var isJSON = false

  /// Writes the text to the place that the options name.
  ///
  /// A file is replaced completely or not at all. A file with another text is replaced only if an
  /// option says so.
  func write(_ invocation: Invocation) throws {
    let output = invocation.output
    guard let path = invocation[ExportedText.file] else {
      if output.mode == .json, !isJSON {
        let text = String(decoding: bytes, as: UTF8.self)
        return output.json(["text": .string(text)])
      }
      return output.terminal.outputIsTerminal ? show(output) : output.write(bytes)
    }
    try checkIsFree(path, invocation)
    try FileBytes.write(bytes, to: path)
    if output.mode == .json {
      output.json(["file": .string(path), "bytes": .number(bytes.count)])
    } else {
      output.note("wrote \(told) to \(path)")
    }
  }

  /// Throws if the file has another content, which may be a table that somebody edited.
  private func checkIsFree(_ path: String, _ invocation: Invocation) throws {
    guard let there = try FileBytes.already(at: path), there != bytes,
      invocation.prompt.confirm("\(path) is there already; replace it?") != true
    else { return }
    throw CommandError(
      .failed, "\(path) is there already, with something else in it, so it stays as it is",
      "--yes replaces it")
  }

  /// Prints the text line by line and sanitised, so no name can control the terminal.
  private func show(_ output: Output) {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    for line in lines.last?.isEmpty ?? false ? lines.dropLast() : lines[...] {
      output.line(String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self))
    }
  }
}
