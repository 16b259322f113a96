import LarderKit

/// `larder adopt`: makes edits with an editor or plain git a part of the household.
enum AdoptCommand {
  private static let record = Record<EntityDifference>(
    ("kind", { $0.key.kind.rawValue }), ("id", { $0.key.id }), ("path", { $0.path?.text ?? "" }))

  static let command = Command("adopt", group: "Files", records: [record.form()]) { invocation in
    try invocation.withLarder { larder in
      report(try larder.adopt(), invocation.output)
    }
  }

  private static func report(_ writing: Writing, _ output: Output) {
    let changed = writing.adoption?.changed ?? []
    if output.mode == .json {
      output.changed(changed, in: writing.household)
      return
    }
    guard let before = writing.adoption?.before, !changed.isEmpty else {
      guard output.mode == .human else { return }
      let isDone = writing.adoption.map { $0.plainCommits > 0 || !$0.commits.isEmpty } ?? false
      output.line(isDone ? "adopted; nothing in it changed anything" : "nothing to adopt")
      return
    }
    let differences = writing.household.differences(from: before, of: changed)
    if output.mode == .plain {
      return output.records(differences, record)
    }
    let words = DifferenceWords(before: before, after: writing.household)
    for difference in differences.prefix(most) {
      output.line("adopted " + words.summary(difference))
    }
    if differences.count > most {
      let commits = writing.adoption.map { $0.plainCommits + $0.commits.count } ?? 1
      output.line(
        "and \(differences.count - most) more; 'larder diff HEAD~\(commits)' tells them all")
    }
  }

  /// The largest number of changes that are listed.
  private static let most = 20
}
