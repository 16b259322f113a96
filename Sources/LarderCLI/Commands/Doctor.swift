import LarderJSON
import LarderModel
import LarderStore

/// `larder doctor`: whether this device is set up, and what lies in the way.
enum DoctorCommand {
  static let fix = Option("fix", help: "mend what is larder's own to mend")

  static let command = Command(
    "doctor", summary: "Check this device's set-up and mend it",
    discussion: """
      Reads all of the history and of the files, and says what is damaged: with --fix it is mended from \
      the work tree, the rest of the history, git's logs and the remotes, and what had to make way is \
      kept in .git/larder/kept. A merge that git left with conflict marks is resolved as larder joins \
      both sides; other files in conflict are named for people to merge.

      Looks for what this copy of the household lacks too (its device name, its user id, the merge \
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
    let opening = try folderComplaints(invocation)
    // Before git can open the folder there is nothing else to be said.
    guard opening.left.isEmpty else { return try report(opening.left, [], invocation.output) }
    try invocation.withStore { store in
      let doctor = Diagnosis(
        store: store, now: try invocation.clock()(),
        program: OwnProgram.word(invocation.environment))
      let found = try doctor.complaints()
      guard invocation.has(fix), found.contains(where: \.isMendable) else {
        return try report(found, opening.mended, invocation.output)
      }
      try doctor.mend()
      let after = Diagnosis(store: try store.reopened(), now: doctor.now, program: doctor.program)
      let left = try after.complaints()
      let mended = found.filter { complaint in
        complaint.isMendable
          && !left.contains { $0.name == complaint.name && $0.message == complaint.message }
      }
      try report(left, opening.mended + mended, invocation.output)
    }
  }

  /// What keeps git from opening the household's folder, mended first where that is wanted.
  private static func folderComplaints(
    _ invocation: Invocation
  ) throws -> (left: [Complaint], mended: [Complaint]) {
    do {
      guard let folder = GitFolder(near: invocation.directory) else { return ([], []) }
      var mended: [Complaint] = []
      var found = try folder.damage()
      while invocation.has(fix), let first = found.first {
        let complaint = try Diagnosis.complaint(about: first, in: folder)
        try folder.mend(first)
        let left = try folder.damage()
        // Lines of one file may be mended at once; what is still there after mending can't be.
        guard left.first != first else { break }
        mended.append(complaint)
        found = left
      }
      return (try found.map { try Diagnosis.complaint(about: $0, in: folder) }, mended)
    } catch {
      throw Prose().commandError(for: error)
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
