import LarderKit
import LarderModel

extension MessageWords {
  /// Returns the words for a failed sync.
  func commandError(for error: SyncError) -> CommandError {
    switch error {
    case .noRemote, .unknownRemote, .whichRemote: aboutRemote(error)
    case .noCommit:
      CommandError(
        .failed, "can't sync: nothing is committed yet",
        hints: ["'larder adopt' commits what is there"])
    case .unrelatedHistories(let remote):
      CommandError(
        .failed, "can't sync with \(remote): its history shares no commit with this household's",
        hints: [
          "if it is another household that was meant to be this one, 'larder sync --join-histories' joins them"
        ])
    case .newerFormat(let format):
      CommandError(
        .invalidData,
        "can't sync: the others write format \(format), which this program can read, not write",
        hints: ["get a newer larder; 'larder version' shows what this one writes"])
    case .refused(let commit, let remote): commandError(refusing: commit, from: remote)
    case .refusedClone(let commit, let url): commandError(refusingClone: commit, from: url)
    case .wouldBeRefused(let commit): commandError(keeping: commit)
    case .busy(let attempts):
      CommandError(
        .unreachable, "could not send: somebody else was quicker, \(attempts) times",
        hints: ["your changes here are kept; the same command tries again"])
    case .noHousehold(let url):
      CommandError(
        .notFound, "\(url) holds no household",
        hints: [
          "'larder init' starts one; 'larder git -- remote add origin \(shellWord(url))' and 'larder sync' send it"
        ])
    case .joining(let folder):
      CommandError(
        .locked, "another larder is joining into \(folder)", hints: ["try again when it is done"])
    case .folderInUse(let folder):
      CommandError(
        .failed, "can't join into \(folder): the folder is there and not empty",
        hints: ["'larder join URL DIR' makes another folder"])
    }
  }

  private func aboutRemote(_ error: SyncError) -> CommandError {
    switch error {
    case .unknownRemote(let name, let known):
      let near = suggestions(for: name, among: known)
      return CommandError(
        .notFound, "there is no remote called '\(name)'",
        hints: [
          near.first.map { "did you mean '\($0)'?" }
            ?? "there is \(known.joined(separator: ", ")); 'larder git -- remote add' adds another"
        ])
    case .whichRemote(let names):
      return CommandError(
        .ambiguous, "there are \(names.count) remotes and the branch follows none of them",
        problems: names.map { Problem($0) },
        hints: ["'larder sync --remote R' names the one, 'larder sync --all' means all of them"])
    default:
      return CommandError(
        .failed, "can't sync: there is no remote yet",
        hints: [
          "'larder git -- remote add origin URL' says where to",
          "'larder cloud connect URL' syncs with a Supabase project instead",
        ])
    }
  }
}
