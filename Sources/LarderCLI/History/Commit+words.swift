import LarderJSON
import LarderKit
import LarderModel

/// A commit's author and facts, for people and as JSON.
extension Commit {
  /// The author and device, such as `Anna on phone`.
  var who: String {
    let author = author.name.isEmpty ? "somebody" : author.name
    guard let device else { return "\(author), with git" }
    return author == device ? device : "\(author) on \(device)"
  }

  /// The commit's part of JSON output.
  var json: [JSONMember] {
    var members = [
      JSONMember("commit", .string(id.hex)), JSONMember("at", .string(at.description)),
      JSONMember("author", .string(author.name)), JSONMember("email", .string(author.email)),
    ]
    if let device { members.append(JSONMember("device", .string(device))) }
    if let command { members.append(JSONMember("command", .string(command))) }
    members.append(JSONMember("subject", .string(subject)))
    for (key, id) in [("undoes", undoes), ("redoes", redoes)] {
      if let id { members.append(JSONMember(key, .string(id))) }
    }
    return members
  }
}
