import LarderGit

extension Prose {
  /// What git, libgit2 or the system below them would not do.
  func commandError(for error: GitError) -> CommandError {
    let place = error.path.map { " (\($0))" } ?? ""
    let message = "could not \(error.action)\(place): \(reason(error))"
    return CommandError(kind(of: error), message, hints: hints(for: error))
  }

  private func kind(of error: GitError) -> ErrorKind {
    switch error.code {
    case .notFound: .notFound
    case .ownership, .authentication: .notAllowed
    case .unreachable, .notFastForward, .refused: .unreachable
    case .locked: .locked
    case .exists, .shallow, .conflict, .invalid, .other: .failed
    }
  }

  private func reason(_ error: GitError) -> String {
    // The first line says why; what git adds after it is advice for people who typed git themselves.
    let lines = error.detail.split(separator: "\n").map { withoutLabel(String($0)) }
    switch error.code {
    case .locked: return "another program holds its lock file"
    case .shallow: return "the clone is shallow and its history ends here"
    case .notFastForward: return "somebody else sent commits meanwhile"
    default: return lines.first ?? "git gave no reason"
    }
  }

  private func withoutLabel(_ line: String) -> String {
    for label in ["fatal: ", "error: ", "remote: "] where line.hasPrefix(label) {
      return String(line.dropFirst(label.count))
    }
    return line
  }

  private func hints(for error: GitError) -> [String] {
    switch error.code {
    case .locked:
      let file = error.path ?? "the lock file"
      return [
        "if no git or larder is running, remove \(file); 'larder doctor' looks at it too"
      ]
    case .ownership:
      let folder = error.path.map { $0.hasSuffix("/.git") ? String($0.dropLast(5)) : $0 } ?? "DIR"
      return ["if you trust it: git config --global --add safe.directory \(folder)"]
    case .shallow: return ["'git fetch --unshallow' brings the whole history"]
    case .authentication:
      return [
        "'git fetch' in the household must work without a question; set up a credential helper or "
          + "an SSH key for it"
      ]
    case .unreachable:
      return ["what was done here stays done; 'larder sync' tries again"]
    case .notFastForward: return ["'larder sync' fetches them and sends yours"]
    case .refused: return ["the remote says no; its log or its owner knows why"]
    default: return []
    }
  }
}
