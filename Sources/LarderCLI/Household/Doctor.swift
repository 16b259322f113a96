import LarderKit

/// `larder doctor`: checks this device's setup and finds damage.
enum DoctorCommand {
  static let fix = Option("fix", help: "repair what larder can repair")

  private static let record = Record<(state: String, name: String, message: String)>(
    ("state", { $0.state }), ("name", { $0.name }), ("message", { $0.message }))

  static let command = Command(
    "doctor", group: "Household", options: [fix], records: [record.form()]
  ) { invocation in
    let isFixing = invocation.has(fix)
    let opening = try Larder.diagnoseFolder(near: invocation.directory).map { Complaint($0) }
    // Nothing else can be checked before git can open the folder.
    guard opening.isEmpty else { return try report(opening, [], invocation.output) }
    try invocation.withLarder { larder in
      let found = try complaints(about: larder)
      guard isFixing, found.contains(where: \.isMendable) else {
        return try report(found, [], invocation.output)
      }
      try larder.mend()
      let left = try complaints(about: try larder.reopened())
      let mended = found.filter { complaint in
        complaint.isMendable
          && !left.contains { $0.name == complaint.name && $0.message == complaint.message }
      }
      try report(left, mended, invocation.output)
    }
  }

  private static func complaints(about larder: Larder) throws -> [Complaint] {
    try larder.diagnose().map { Complaint($0, root: larder.root) }
  }

  private static func report(_ left: [Complaint], _ mended: [Complaint], _ output: Output) throws {
    switch output.mode {
    case .json:
      output.json(["problems": .array(left.map(\.json)), "fixed": .array(mended.map(\.json))])
    case .plain:
      output.records(mended.map { ("fixed", $0.name, $0.mended ?? "") }, record)
      output.records(left.map { ("problem", $0.name, $0.message) }, record)
    case .human:
      for complaint in mended { output.line(complaint.mended ?? complaint.message) }
      for complaint in left { output.finding(Problem(complaint.message)) }
      if left.isEmpty { output.line(mended.isEmpty ? "all is well" : "all is well now") }
    }
    guard !left.isEmpty else { return }
    if output.mode != .json {
      for hint in left.map(\.hint).unique { output.hint(hint) }
    }
    throw ExitStatus(code: 1)
  }
}
