import LarderJSON
import LarderKit
import LarderModel

/// `larder cloud password` and `delete-account`: the user's own account in the project.
enum CloudAccount {
  static let password = Command(
    "password", summary: "Change your password in the project",
    discussion: """
      Changes the password of the user who is signed in here. Larder asks for the new password at \
      the terminal, or reads it from standard input. Other devices stay signed in.
      """,
    examples: [
      Example("larder cloud password"),
      Example("larder cloud password --password-stdin", "from a password manager"),
    ],
    options: [CloudLogin.passwordStdin]
  ) { invocation in
    try invocation.withCloud { cloud in
      try cloud.change(password: try CloudLogin.password(invocation, "New password:"))
      invocation.output.confirm("the password is changed", [])
    }
  }

  static let email = Argument("EMAIL", help: "the e-mail address of the user")

  static let reset = Command(
    "reset", summary: "Ask for a mail to reset a forgotten password",
    discussion: """
      The project sends a mail to the address if a user has it. 'larder cloud login EMAIL --code \
      CODE' signs in with the code in the mail; then 'larder cloud password' sets the new \
      password. If the mail has only a link, the page behind the link asks for the new password.
      """,
    examples: [Example("larder cloud reset anna@example.org")],
    arguments: [email]
  ) { invocation in
    try invocation.withCloud { cloud in
      let email = invocation[email]
      try cloud.resetPassword(email: email)
      invocation.output.confirm(
        "if the project has a user \(email), a mail is on its way",
        [JSONMember("email", .string(email))])
      invocation.output.hint(
        "'larder cloud login \(shellWord(email)) --code CODE' signs in with the code in it; then 'larder cloud password'"
      )
    }
  }

  static let delete = Command(
    "delete-account", summary: "Delete your account in the project",
    discussion: """
      Ends all its sessions and memberships. Households without another member are deleted from \
      the project too. Their files stay here; when somebody signs in and syncs, that creates them \
      in the project again. The command asks for confirmation first.
      """,
    examples: [Example("larder cloud delete-account")]
  ) { invocation in
    try invocation.withCloud { cloud in
      let url = cloud.url
      let name = try cloud.email ?? "you"
      guard
        try invocation.agrees(
          "Delete the account of \(name) in \(url), and the households there that nobody else has?",
          "deleting an account")
      else { return invocation.output.note("nothing was changed") }
      try cloud.deleteAccount()
      invocation.output.confirm(
        "the account of \(name) is deleted; the files stay", [JSONMember("project", .string(url))])
    }
  }
}

extension Invocation {
  /// Asks for confirmation of something that can't be undone.
  func agrees(_ question: String, _ deed: String) throws -> Bool {
    guard let answer = prompt.confirm(question) else {
      throw CommandError(
        .usage, "\(deed) needs a yes, and nobody can be asked", hints: ["--yes says yes"])
    }
    return answer
  }
}
