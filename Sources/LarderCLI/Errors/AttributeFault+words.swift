import LarderKit
internal import LarderText

extension AttributeFault {
  private var files: String {
    safePath(path.text) + (others > 0 ? " and \(counted(others, "other file"))" : "")
  }

  private var setting: String { "\(name)=\(value)" }

  /// What git does with the files.
  var sentence: String {
    switch name {
    case "filter":
      "git passes \(files) through the filter '\(value)', which larder does not do, so larder writes "
        + "nothing here and syncs nothing"
    case "working-tree-encoding":
      "git keeps \(files) in the encoding \(value), and larder in UTF-8, so larder writes nothing here "
        + "and syncs nothing"
    case "merge": "git merges \(files) with \(setting), not with larder's merge driver"
    case "diff": "git shows changes of \(files) with \(setting), not in larder's words"
    case "ident": "git replaces $Id$ in \(files) when it checks them out"
    default: "git checks \(files) out with \(setting), and larder writes LF"
    }
  }

  /// The sentence of a command that refuses.
  var refusal: String {
    let what = commit.map { "nothing of \($0.short) is taken: there " } ?? "nothing is written: "
    return name == "filter"
      ? what
        + "git passes \(files) through the filter '\(value)', and larder would store plain text"
      : what + "git keeps \(files) in the encoding \(value), and larder would store UTF-8"
  }

  var ways: [String] {
    let look = "'larder git -- check-attr -a \(safePath(path.text))' shows the attributes"
    if commit != nil {
      return [
        "whoever set the attribute in .gitattributes can take it out again; all that is here goes on"
      ]
    }
    if isFilter {
      return [
        look
          + "; without this one in .gitattributes or .git/info/attributes, larder writes again, as "
          + "plain text", "with it, larder only reads the files as they are in this folder",
      ]
    }
    return [
      look
        + "; the last line that matches wins: put larder's lines at the end of .gitattributes, and "
        + "take others out of folders below and of .git/info/attributes"
    ]
  }
}
