import LarderGit

extension CommandError {
  /// The same without the passwords and tokens of URLs that people typed.
  var withoutSecrets: CommandError {
    var error = self
    error.message = message.withoutSecrets
    for index in problems.indices {
      error.problems[index].message = problems[index].message.withoutSecrets
    }
    error.hints = hints.map(\.withoutSecrets)
    return error
  }
}
