import LarderModel
internal import LarderText

/// The help topics besides the commands.
enum Topics {
  static let all = WrittenForms.topics + [exitCodes, plain, format]

  static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "What exit codes mean",
    text: """
      Every command ends with one of these:

        0  done
        1  failed, or 'check' or 'fmt --check' found something, or the cloud refuses
           something
        2  the command line is wrong; see the command's usage
        3  not found, or more than one thing is meant
        4  not signed in, or not allowed
        5  the data is invalid; the message names file:line:column
        6  the remote or the cloud can't be reached; your changes here are kept
        7  locked by another larder or git that did not finish within 10 s
        8  a commit of somebody else was refused because of its content

      With --json, a failure is one object on standard output, {"version": 1, "error": {"kind", \
      "message", "hints", "problems"}}, where kind is one of failed, usage, notFound, ambiguous, \
      notAllowed, invalidData, unreachable, locked and refused.

      'larder merge-driver', which git calls, uses git's codes: 0 clean, 1 conflict, above 128 \
      failed. 'larder git' ends with git's own code.
      """)

  static let plain = HelpTopic(
    name: "plain", summary: "What --plain prints, for scripts",
    text: """
      With --plain, standard output has one record in each line, without a header and without \
      colours. The fields of a record are separated by one tab:

        larder stock list --plain | cut -f 1,2

      The help of each command names its columns. Scripts may count them: columns keep their order \
      and meaning, and a new one comes after the others. Only the state of --sync stays the last. \
      A command whose help names no columns prints the same as without --plain. Warnings and hints \
      are on standard error.

      A field without a value is empty. In a field, these characters are written so:

        \\\\        a backslash
        \\t        a tab
        \\n        a newline
        \\r        a carriage return
        \\u001b    another control character, by its number

      Numbers have a decimal point and no unit; where there is one, it has its own column. Days are \
      written as 2026-11-03, times as 2026-11-03T19:12:44.000Z.
      """)

  private static let files = definitionList(
    Kind.allCases.map { ($0.folder.map { "\($0)/" } ?? Kind.householdPath.text, $0.content) },
    width: 100
  ).joined(separator: "\n")

  static let format = HelpTopic(
    name: "format", summary: "What is in a household's folder, and how to edit it",
    text: """
      A household is a folder of plain JSON files in its own git repository:

      \(files)

      The folder says the kind, the id in the file identifies the thing, and the file's name is for \
      people. Edit the files with any editor, and commit them with git or not: every larder command \
      understands the edits, and adopts them before it writes. A new file needs no more than

        {"name": "Soy milk", "quantityInStock": 2}

      in stock/soy-milk.json. A removed file comes back marked as deleted.

      "changes" is the ledger: every entry records an addition (a delta above 0), a use (a delta \
      below 0) or a count (set). The quantity is the latest count plus all deltas after it. Entries \
      never change; if you write another number, larder adds a count.

      "quantityInStock" is all there is. An item that has batches shows "quantityLoose" instead, what \
      lies loose beside them. Change it to count that; write "quantityInStock" beside or in place of \
      it to count all there is.

      "edited" has the time at which each field was last written. If two devices wrote the same \
      field, the later write wins.

      'larder schema KIND' prints a JSON Schema for editors, 'larder check' reports mistakes, \
      'larder fmt' writes the canonical form. FORMAT.md in larder's sources has all details.
      """)
}
