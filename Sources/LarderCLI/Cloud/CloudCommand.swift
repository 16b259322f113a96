/// `larder cloud`: the household in a Supabase project.
enum CloudCommand {
  static let command = Command(
    "cloud", summary: "The household in a Supabase project",
    discussion: """
      A Supabase project is one more place that the household converges with, beside git remotes or \
      instead of them: 'connect' says which, 'login' who you are, and from then on 'larder sync' \
      brings both sides together. All else works without it, and offline. Without a verb, 'larder \
      cloud' shows how things stand.

      The project needs the tables in supabase/migrations. Others come in by 'invite' and 'join'; \
      whoever is no member sees nothing. 'members' and 'remove', 'invites' and 'revoke' show and end \
      who may.
      """,
    group: "Household",
    examples: [
      Example("larder cloud connect https://abc.supabase.co", "the key is asked for"),
      Example("larder cloud login anna@example.org", "the password is asked for"),
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
