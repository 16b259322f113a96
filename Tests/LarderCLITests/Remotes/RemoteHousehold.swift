import Foundation
import TestSupport
import Testing

/// A household whose remote `origin` is on a host, with ssh and git that know only what is set here.
final class RemoteHousehold {
  let host: GitHost
  let nest: HouseholdFixture
  var larder: CommandRunner
  /// The repository's path on the host.
  let repository: String

  init(_ host: GitHost) throws {
    self.host = host
    repository = try host.makeRepository()
    nest = try HouseholdFixture()
    larder = nest.larder
    larder.variables["PATH"] = larder.folder("bin") + ":" + Programs.path
    if host.transport == .ssh { try prepareShell() }
    try nest.git("remote", "add", "origin", url)
  }

  /// The URL that works.
  var url: String { host.url(of: repository, as: "anna:\(GitHost.password)") }

  func callAsFunction(_ words: String..., in place: String = "home/nest") throws
    -> CommandRunner.Outcome
  {
    try larder.run(words, in: place)
  }

  func setURL(_ url: String) throws { try nest.git("remote", "set-url", "origin", url) }

  func head(of folder: String) throws -> String { try Git.run("rev-parse", "main", in: folder) }

  /// Whether the remote has all that was done here.
  func isSent() throws -> Bool { try head(of: nest.root) == head(of: repository) }

  func addHook(_ name: String, _ script: String) throws {
    let path = "\(repository)/hooks/\(name)"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  func removeHook(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(repository)/hooks/\(name)")
  }

  // MARK: ssh

  /// What ssh reads in place of `~/.ssh/config`.
  func configureShell(key: String = "writer", _ more: String = "") throws {
    try larder.folder.write(
      """
      \(more)
      UserKnownHostsFile \(larder.folder("known_hosts"))
      GlobalKnownHostsFile /dev/null
      IdentityFile \(host.folder(key))
      IdentitiesOnly yes
      IdentityAgent none

      """, to: "ssh_config")
  }

  func know(_ hostKey: String) throws {
    try larder.folder.write(hostKey, to: "known_hosts")
  }

  /// The words that ssh was called with, a line for each call.
  func shellCalls() throws -> String { try larder.folder.read("ssh-calls") }

  private func prepareShell() throws {
    try configureShell()
    try know(host.hostKeyLine())
    try larder.folder.write(
      """
      #!/bin/sh
      echo "$@" >> '\(larder.folder("ssh-calls"))'
      exec '\(try Programs.find("ssh"))' -F '\(larder.folder("ssh_config"))' "$@"

      """, to: "bin/ssh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: larder.folder("bin/ssh"))
  }

  // MARK: words

  /// What a run said, with what differs from run to run and machine to machine made alike.
  func normalized(_ text: String) -> String {
    larder.normalized(text.replacing(host.folder.path, with: "/HOST"))
      .replacing(/127\.0\.0\.1(\]?):\d+/, with: { "127.0.0.1\($0.output.1):PORT" })
      .replacing(/localhost:\d+/, with: "localhost:PORT")
      .replacing(/port \d+/, with: "port PORT")
      .replacing(/\b[\w.-]+@127/, with: "USER@127")
      .replacing(/it says: [^\n]*(No space left on device|File too large)/, with: "it says: full")
  }
}
