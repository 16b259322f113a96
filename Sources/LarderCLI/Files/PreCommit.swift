/// `larder pre-commit`: what the hook of earlier versions calls.
enum PreCommitCommand {
  static let command = Command(
    "pre-commit", summary: "Do nothing, for a hook that earlier versions installed",
    discussion: """
      Earlier versions adopted edits before git made a commit. The next larder command adopts them, with \
      the same result. 'larder doctor' tells where such a hook is.
      """,
    group: "Files", isHidden: true
  ) { _ in }
}
