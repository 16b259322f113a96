import LarderKit

extension LooseHead {
  /// The sentence of commands that refuse, of `status` and of `doctor`.
  var sentence: String {
    "nothing is written while no branch is checked out: the commit would belong to none"
  }

  /// The ways to a branch; none of them leaves a commit behind.
  var ways: [String] {
    isJujutsu ? [jujutsuWay] : unkept > 0 ? waysWithCommits : [way(to: branch)]
  }

  private func way(to branch: String?) -> String {
    branch.map { "'larder git -- switch \($0)' goes to the branch \($0)" }
      ?? "'larder git -- switch -c NAME' makes a branch of what is checked out"
  }

  private var waysWithCommits: [String] {
    guard let branch else { return [way(to: nil)] }
    let name = "kept-\(commit.short)"
    return [
      "\(counted(unkept, "commit")) here \(unkept == 1 ? "is" : "are") in no branch: "
        + "'larder git -- branch \(name)' keeps \(unkept == 1 ? "it" : "them")",
      "then \(way(to: branch)), and 'larder git -- merge \(name)' takes "
        + "\(unkept == 1 ? "it" : "them") in",
    ]
  }

  /// In a jj workspace, larder goes on by itself once exactly one bookmark is at HEAD.
  private var jujutsuWay: String {
    let how = branch.map { "'jj bookmark move \($0) --to @-'" } ?? "'jj bookmark create main -r @-'"
    return
      "jj has taken HEAD from its branch, and larder commits to the one bookmark at @-: \(how) "
      + "puts it there"
  }
}

extension LeftCommit {
  var sentence: String {
    let more = count > 1 ? " and \(counted(count - 1, "commit")) before it" : ""
    return
      "\(commit.id.short) (\(commit.subject))\(more) was made while no branch was checked out, "
      + "and no branch has it"
  }
}
