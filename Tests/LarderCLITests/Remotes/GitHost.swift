import Foundation
import TestSupport
import Testing

/// A machine that serves git repositories: its folder, reached over ssh by a real `sshd` and over
/// http by a real web server.
final class GitHost: @unchecked Sendable {
  enum Transport: String, CaseIterable {
    case ssh, http
  }

  static let password = "s3cret"

  /// The ones that tests share which leave them running; each test has a repository of its own.
  private static let shared = Result { try [Transport.ssh: GitHost(.ssh), .http: GitHost(.http)] }

  static func shared(_ transport: Transport) throws -> GitHost {
    try #require(shared.get()[transport])
  }

  let folder: Folder
  let transport: Transport
  let server: Server

  init(_ transport: Transport) throws {
    let folder = try Folder()
    self.folder = folder
    self.transport = transport
    switch transport {
    case .ssh: server = try Self.startSecureShell(folder)
    case .http: server = try Self.startWeb(folder)
    }
  }

  /// A new bare repository, by its path on the host.
  func makeRepository() throws -> String {
    let path = folder("home-\(UUID().uuidString.lowercased()).git")
    try Git.run("init", "--quiet", "--bare", "-b", "main", path, in: folder.path)
    return path
  }

  /// The URL of a path on this host, for somebody.
  func url(of path: String, as user: String? = nil, port: Int? = nil) -> String {
    let place = "127.0.0.1:\(port ?? server.port)"
    switch transport {
    case .ssh: return "ssh://\(place)\(path)"
    case .http:
      let name = URL(filePath: path).lastPathComponent
      return "http://\(user.map { $0 + "@" } ?? "")\(place)/git/\(name)"
    }
  }

  // MARK: ssh

  /// The public key that the host shows, as `known_hosts` wants it.
  func hostKeyLine(_ key: String = "host") throws -> String {
    "[127.0.0.1]:\(server.port) \(try folder.read("\(key).pub"))"
  }

  private static func startSecureShell(_ folder: Folder) throws -> Server {
    // What sshd keeps to itself as root, which an init script makes elsewhere.
    if getuid() == 0 {
      try FileManager.default.createDirectory(
        atPath: "/run/sshd", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    var authorized = ""
    for name in ["host", "another-host", "writer", "stranger", "reader", "full", "dropped"] {
      try Programs.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder(name))
      let key = try folder.read("\(name).pub")
      switch name {
      case "writer": authorized += key
      case "reader", "full", "dropped":
        authorized += "restrict,command=\"/bin/sh \(folder("serve")) \(name)\" \(key)"
      default: break
      }
    }
    try folder.write(authorized, to: "authorized_keys")
    try folder.write(serving, to: "serve")
    let program = try Programs.find("sshd")
    return try Server(in: folder) { port in
      try folder.write(
        """
        Port \(port)
        ListenAddress 127.0.0.1
        HostKey \(folder("host"))
        AuthorizedKeysFile \(folder("authorized_keys"))
        PidFile none
        UsePAM no
        StrictModes no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin yes
        MaxStartups 100
        """, to: "sshd_config")
      // From version 9.8 on, it turns away who was refused before, as some of the tests are.
      let lenient = ["-f", folder("sshd_config"), "-o", "PerSourcePenalties=no"]
      let knows = try Programs.outcome("sshd", ["-t"] + lenient).status == 0
      return [program, "-D", "-e"] + (knows ? lenient : Array(lenient.prefix(2)))
    }
  }

  /// What keys that may not do everything run, by their role.
  private static let serving = """
    case $1:$SSH_ORIGINAL_COMMAND in
    reader:git-receive-pack*)
      echo 'this key has no write access' >&2
      exit 1 ;;
    full:git-receive-pack*)
      repository=$(expr "$SSH_ORIGINAL_COMMAND" : "git-receive-pack '\\(.*\\)'")
      export repository
      if unshare -rm true 2>/dev/null; then
        exec unshare -rm sh -c '
          mkdir -p "$repository.small" && mount -t tmpfs -o size=400k tmpfs "$repository.small"
          cp -R "$repository/." "$repository.small/"
          cat /dev/zero > "$repository.small/filler" 2>/dev/null
          mount --bind "$repository.small" "$repository"
          eval "$SSH_ORIGINAL_COMMAND"'
      fi
      trap '' XFSZ
      ulimit -f 0 ;;
    dropped:git-receive-pack*)
      (sleep 0.5; kill -9 $PPID) & ;;
    esac
    eval "$SSH_ORIGINAL_COMMAND"

    """

  // MARK: http

  private static func startWeb(_ folder: Folder) throws -> Server {
    let hash = try Programs.run("openssl", "passwd", "-apr1", password)
    try folder.write("anna:\(hash)\n", to: "users")
    let backend =
      try Git.run("--exec-path", in: folder.path)
      .trimmingCharacters(in: .newlines) + "/git-http-backend"
    let program = try Programs.find("lighttpd")
    return try Server(in: folder) { port in
      try folder.write(
        """
        server.document-root = "\(folder.path)"
        server.bind = "127.0.0.1"
        server.port = \(port)
        server.modules = ("mod_setenv", "mod_auth", "mod_authn_file", "mod_alias", "mod_cgi")
        auth.backend = "htpasswd"
        auth.backend.htpasswd.userfile = "\(folder("users"))"
        auth.require = ("/git/" => (
          "method" => "basic", "realm" => "household", "require" => "valid-user"))
        alias.url = ("/git/" => "\(backend)/")
        cgi.assign = ("" => "")
        cgi.execute-x-only = "enable"
        setenv.set-environment = (
          "GIT_PROJECT_ROOT" => "\(folder.path)", "GIT_HTTP_EXPORT_ALL" => "1",
          "PATH" => "\(Programs.path)")
        server.errorlog = "\(folder("errors"))"
        """, to: "lighttpd.conf")
      return [program, "-D", "-f", folder("lighttpd.conf")]
    }
  }
}
