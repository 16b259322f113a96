/// `larder pre-commit`: what the hook of earlier versions calls.
enum PreCommitCommand {
  static let command = Command("pre-commit", group: "Files", isHidden: true) { _ in }
}
