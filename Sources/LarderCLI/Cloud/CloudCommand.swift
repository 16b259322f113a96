/// `larder cloud`: the household in a Supabase project.
enum CloudCommand {
  static let command = Command(
    "cloud", group: "Household",
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
