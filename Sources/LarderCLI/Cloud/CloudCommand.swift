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
    parts: [
      .init("connect") { CloudConnect.connect },
      .init("disconnect") { CloudConnect.disconnect },
      .init("login") { CloudLogin.login },
      .init("logout") { CloudLogin.logout },
      .init("status") { CloudStatusCommand.command },
      .init("push") { CloudExchange.push },
      .init("pull") { CloudExchange.pull },
      .init("retry") { CloudExchange.retry },
      .init("invite") { CloudSharing.invite },
      .init("join") { CloudSharing.join },
      .init("members") { CloudMembers.members },
      .init("remove") { CloudMembers.remove },
      .init("invites") { CloudMembers.invites },
      .init("revoke") { CloudMembers.revoke },
      .init("password") { CloudAccount.password },
      .init("reset") { CloudAccount.reset },
      .init("delete-account") { CloudAccount.delete },
      .init("auto") { AutoSync.command },
    ], defaultSubcommand: "status")
}
