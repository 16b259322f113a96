/// `larder cloud`: the household in a Supabase project.
enum CloudCommand {
  static let command = Command(
    "cloud", summary: "The household in a Supabase project",
    discussion: """
      A household can sync with a Supabase project, in addition to git remotes or instead of them. \
      'connect' chooses the project, 'login' signs you in, and from then on 'larder sync' brings \
      both sides together. Everything else works without the project, and offline. Without a verb, \
      'larder cloud' shows the state.

      The project needs the tables in supabase/migrations. Other people join with 'invite' and \
      'join'; only members see anything of the household. 'members' and 'invites' list members and \
      invitations; 'remove' and 'revoke' end them.
      """,
    group: "Household",
    examples: [
      Example("larder cloud connect https://abc.supabase.co", "asks for the key"),
      Example("larder cloud login anna@example.org", "asks for the password"),
      Example("larder cloud status", "what is pending, and why"),
      Example("larder cloud invite", "prints a code for somebody else"),
    ],
    subcommands: [
      CloudConnect.connect, CloudConnect.disconnect, CloudLogin.login, CloudLogin.logout,
      CloudStatusCommand.command, CloudExchange.push, CloudExchange.pull, CloudExchange.retry,
      CloudSharing.invite, CloudSharing.join, CloudMembers.members, CloudMembers.remove,
      CloudMembers.invites, CloudMembers.revoke, CloudAccount.password, CloudAccount.reset,
      CloudAccount.delete, AutoSync.command,
    ], defaultSubcommand: "status")
}
