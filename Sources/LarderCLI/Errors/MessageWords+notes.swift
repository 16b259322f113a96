import LarderModel
internal import LarderText

extension MessageWords {
  /// Returns the problems of adopted files, including the mistakes of broken and refused ones.
  func problems(_ notes: [HouseholdAdoption.Note], in household: Household) -> [Problem] {
    var seen: Set<HouseholdAdoption.Note> = []
    return notes.filter { seen.insert($0).inserted }.flatMap { note -> [Problem] in
      switch note {
      case .stale(let path, let fields):
        return [
          warning(
            "this is an older version of the file (\(names(fields))); later changes are still valid, so a "
              + "revert or an old editor buffer changes nothing", path)
        ]
      case .outlived(let path, let fields):
        return [
          warning(
            "this edit has no effect (\(names(fields))): the earlier value carries the last time that "
              + "can be written, and nothing comes after it", path)
        ]
      case .removed(let path):
        let becomes =
          path == Kind.householdPath
          ? "the household stays, and the file comes back"
          : "its content is kept and marked as deleted"
        return [warning("the file is gone; \(becomes)", path)]
      case .copied(let path, let original):
        return [warning("this is a copy of \(original) and gets an id of its own", path)]
      case .untaken(let path):
        guard let mistakes = household.untaken[path] else { return [] }
        return problems(mistakes, path: path.text, severity: .warning)
      }
    }
  }

  private func names(_ fields: [FieldName]) -> String {
    fields.map { $0 == .changes ? "the ledger" : EntityWords.label($0) }.joined(separator: ", ")
  }

  private func warning(_ message: String, _ path: FilePath) -> Problem {
    Problem(message, path: path.text, severity: .warning)
  }
}
