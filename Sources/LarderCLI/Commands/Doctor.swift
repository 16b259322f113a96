import LarderJSON
import LarderModel
import LarderStore

/// `larder doctor`: whether this device is set up, and what lies in the way.
enum DoctorCommand {
  static let fix = Option("fix", help: "mend what is larder's own to mend")

  static let command = Command(
    "doctor", summary: "Check this device's set-up and mend it",
    discussion: """
      Looks for what this copy of the household lacks (its device name, its user id, the merge \
      driver and text conversion in git's settings, .gitattributes, the hook if it is wanted), for what a killed program left \
      behind, for locks, for a missing git, and for times that are far ahead of the clock. A plain \
      'git clone' of a household needs 'larder doctor --fix' once.

      Silent things are well; the exit code is 1 where something is left to do.
      """,
    group: "Household",
    examples: [
      Example("larder doctor"), Example("larder doctor --fix", "after a plain git clone"),
    ],
    options: [fix]
  ) { invocation in
    try invocation.withStore { store in
      let doctor = Diagnosis(
        store: store, now: try invocation.clock()(),
        program: OwnProgram.word(invocation.environment))
      let found = try doctor.complaints()
      var mended: [Complaint] = []
      if invocation.has(fix), found.contains(where: \.isMendable) {
        try doctor.mend()
        let left = try doctor.complaints()
        mended = found.filter { complaint in !left.contains { $0.name == complaint.name } }
      }
      let left = found.filter { complaint in !mended.contains { $0.name == complaint.name } }
      try report(left, mended, invocation.output)
    }
  }

  private static func report(_ left: [Complaint], _ mended: [Complaint], _ output: Output) throws {
    switch output.mode {
    case .json:
      output.json([
        JSONMember("problems", .array(left.map(\.json))),
        JSONMember("fixed", .array(mended.map(\.json))),
      ])
    case .plain:
      for complaint in mended { output.record(["fixed", complaint.name, complaint.mended ?? ""]) }
      for complaint in left { output.record(["problem", complaint.name, complaint.message]) }
    case .human:
      for complaint in mended { output.line(complaint.mended ?? complaint.message) }
      for complaint in left { output.finding(Problem(complaint.message)) }
      if left.isEmpty { output.line(mended.isEmpty ? "all is well" : "all is well now") }
    }
    guard !left.isEmpty else { return }
    if output.mode != .json {
      var hints: [String] = []
      for complaint in left where !hints.contains(complaint.hint) { hints.append(complaint.hint) }
      for hint in hints { output.hint(hint) }
    }
    throw ExitStatus(code: 1)
  }
}

/// Something that doctor has to say.
struct Complaint: Sendable, Equatable {
  /// A stable name for scripts.
  let name: String
  let message: String
  let hint: String
  /// What is to be said once --fix has mended it; nil where people have to.
  var mended: String?

  var isMendable: Bool { mended != nil }

  var json: JSON {
    .object([
      JSONMember("name", .string(name)), JSONMember("message", .string(message)),
      JSONMember("hint", .string(hint)),
    ])
  }
}
