/// How git is to check the objects that it fetches.
enum ObjectChecks {
  /// Settings for the git program, before its command.
  ///
  /// What is well-formed and only not to be followed is fetched, with a warning: a bad commit would
  /// otherwise keep all later ones from coming, too. Whoever joins or writes it judges it before.
  static var settings: [String] {
    var words = ["-c", "fetch.fsckObjects=true"]
    for name in judged { words += ["-c", "fetch.fsck.\(name)=ignore"] }
    return words
  }

  /// By the names that git-fsck(1) has for them.
  private static let judged = [
    "badDate", "badDateOverflow", "badEmail", "badFilemode", "badName", "badTimezone",
    "duplicateEntries", "emptyName", "fullPathname", "gitattributesBlob", "gitattributesLarge",
    "gitattributesLineLength", "gitattributesSymlink", "gitignoreSymlink", "gitmodulesBlob",
    "gitmodulesLarge", "gitmodulesMissing", "gitmodulesName", "gitmodulesParse", "gitmodulesPath",
    "gitmodulesSymlink", "gitmodulesUpdate", "gitmodulesUrl", "hasDot", "hasDotdot", "hasDotgit",
    "mailmapSymlink", "missingAuthor", "missingCommitter", "missingEmail",
    "missingNameBeforeEmail", "missingSpaceBeforeDate", "missingSpaceBeforeEmail",
    "multipleAuthors", "nulInCommit", "nullSha1", "treeNotSorted", "zeroPaddedDate",
    "zeroPaddedFilemode",
  ]
}
