import LarderKit

extension CommandError {
  /// The error without the passwords and tokens in URLs that people typed.
  var withoutSecrets: CommandError {
    var error = self
    error.message = Larder.withoutSecrets(message)
    for index in problems.indices {
      error.problems[index].message = Larder.withoutSecrets(problems[index].message)
    }
    error.hints = hints.map(Larder.withoutSecrets)
    return error
  }
}
