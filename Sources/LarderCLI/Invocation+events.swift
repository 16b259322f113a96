import LarderKit
import LarderModel
internal import LarderText

extension Invocation {
  /// Reports an event of a call on standard error.
  func tell(_ event: LarderEvent) {
    switch event {
    case .adopted(let adoption, let household, let root):
      warn(about: adoption.notes, in: household, root: root)
    case .sync(let event):
      if let (sign, line) = SyncWords.line(of: event) { output.note(sign, line) }
      log(.git, event.logged)
    case .exchangeBegan: output.note(.atWork, "asking the cloud")
    case .progress(let progress):
      output.progress.update(
        Sign.atWork.prefix(onTerminal: true) + CloudWords.line(of: progress))
      log(.cloud, CloudWords.logged(progress))
    case .exchangeEnded: output.progress.finish()
    case .exchanged(let outcome):
      // These values were already joined and committed, even if the sync fails later.
      LossWords.report(outcome.lossWords, output)
    case .namedUser(let count):
      output.note(
        "\(counted(count, "thing")) that you made before signing in \(count == 1 ? "names" : "name") you now"
      )
    case .request(let note): log(note)
    }
  }

  /// Warns as ``warn(about:in:root:)`` after reading; of files that git filters, it says that.
  func warn(about notes: [HouseholdAdoption.Note], in household: Household, _ larder: Larder)
    throws
  {
    let isUntaken = { (note: HouseholdAdoption.Note) in
      if case .untaken = note { true } else { false }
    }
    guard notes.contains(where: isUntaken), let fault = try larder.filters().first else {
      return warn(about: notes, in: household, root: larder.root)
    }
    output.warn(fault.sentence)
    warn(about: notes.filter { !isUntaken($0) }, in: household, root: larder.root)
  }

  /// Warns on standard error about people's edits; broken and refused files are one line.
  func warn(about notes: [HouseholdAdoption.Note], in household: Household, root: String) {
    var left: Set<FilePath> = []
    var others: [HouseholdAdoption.Note] = []
    for note in notes {
      if case .untaken(let path) = note { left.insert(path) } else { others.append(note) }
    }
    for problem in MessageWords(root: root).problems(others, in: household) { output.warn(problem) }
    output.warn(ofLeft: left, in: household)
  }
}

extension SyncEvent {
  /// The line of the log.
  fileprivate var logged: String {
    switch self {
    case .adopted(let adoption, _): "adopted \(counted(adoption.changed.count, "thing"))"
    case .fetching(let remote): "fetching from \(remote)"
    case .waiting(let remote): "waiting for \(remote)"
    case .joining(let commits): "joining \(counted(commits, "commit"))"
    case .pushing(let commits): "pushing \(counted(commits, "commit"))"
    case .retrying(let attempt): "retrying for the \(attempt). time"
    }
  }
}
