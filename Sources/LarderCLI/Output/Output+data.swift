import LarderJSON

extension Output {
  /// Prints one JSON object, which begins with the version of the output's form.
  func json(_ members: [JSONMember]) {
    let object = JSON.object([JSONMember("version", .number("1"))] + members)
    write(escapingControls(object.writeFile()))
  }

  /// Prints a table for people.
  func table(_ table: Table) {
    write(table.drawn(width: terminal.outputIsTerminal ? terminal.width : nil, hasColor: hasColor))
  }

  /// Prints the program's version in the requested form.
  func version(_ version: String, of program: String) {
    if mode == .json {
      json([JSONMember(program, .string(version))])
    } else {
      line("\(program) \(version)")
    }
  }
}

extension CommandError {
  /// The error's part of JSON output.
  var json: JSON {
    .object([
      JSONMember("kind", .string(kind.rawValue)),
      JSONMember("message", .string(message)),
      JSONMember("hints", .array(hints.map { .string($0) })),
      JSONMember("problems", .array(problems.map(\.json))),
    ])
  }
}

extension Problem {
  /// The problem's part of JSON output, without unknown values.
  var json: JSON {
    var members: [JSONMember] = []
    if let path { members.append(JSONMember("path", .string(path))) }
    if let line { members.append(JSONMember("line", .number(String(line)))) }
    if let column { members.append(JSONMember("column", .number(String(column)))) }
    members.append(JSONMember("message", .string(message)))
    members.append(JSONMember("severity", .string(severity.rawValue)))
    return .object(members)
  }
}
