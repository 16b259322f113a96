/// How git receives objects: it checks them, and they are on the disk when it ends.
enum ObjectChecks {
  /// Options for the git program, before its command.
  ///
  /// Objects that are well-formed but must not be followed are fetched with a warning. Otherwise
  /// one bad commit would block all later ones. The code that joins or writes them judges them
  /// first.
  static var settings: [String] {
    var words = [
      "-c", "fetch.fsckObjects=true", "-c", "core.fsync=committed", "-c", "core.fsyncMethod=batch",
    ]
    for name in judged { words += ["-c", "fetch.fsck.\(name)=ignore"] }
    return words
  }

  /// The checks to ignore, by their names in git-fsck(1).
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
