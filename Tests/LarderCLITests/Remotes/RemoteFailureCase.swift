import Foundation
import TestSupport
import Testing

/// One way in which a remote can fail, and how it works again.
struct RemoteFailureCase: Sendable, CustomTestStringConvertible {
  typealias Step = @Sendable (RemoteHousehold) throws -> Void

  let name: String
  let transport: GitHost.Transport
  let code: Int32
  let fail: Step
  /// Besides the right URL, key and host key.
  let mend: Step

  init(
    _ name: String, _ transport: GitHost.Transport, code: Int32, fail: @escaping Step,
    mend: @escaping Step = { _ in }
  ) {
    self.name = "\(transport.rawValue)-\(name)"
    self.transport = transport
    self.code = code
    self.fail = fail
    self.mend = mend
  }

  var testDescription: String { name }

  static let all = both + ssh + http

  /// What fails alike over either.
  private static let both = GitHost.Transport.allCases.flatMap { transport in
    [
      RemoteFailureCase("down", transport, code: 6) {
        try $0.setURL($0.host.url(of: $0.repository, port: Port.free()))
      },
      RemoteFailureCase("unknown-name", transport, code: 6) {
        try $0.setURL("\(transport.rawValue)://nowhere.invalid/home.git")
      },
      RemoteFailureCase("no-repository", transport, code: 6) {
        try $0.setURL($0.host.url(of: $0.host.folder("gone.git"), as: "anna:\(GitHost.password)"))
      },
      RemoteFailureCase("hook", transport, code: 4) {
        try $0.addHook("pre-receive", "echo 'no pushing on Sundays' >&2; exit 1")
      } mend: {
        try $0.removeHook("pre-receive")
      },
      RemoteFailureCase("protected", transport, code: 4) {
        try $0.addHook("update", "echo \"$1 is protected\" >&2; exit 1")
      } mend: {
        try $0.removeHook("update")
      },
    ]
  }

  private static let ssh = [
    RemoteFailureCase("wrong-key", .ssh, code: 4) { try $0.configureShell(key: "stranger") },
    RemoteFailureCase("unknown-host-key", .ssh, code: 4) { try $0.know("") },
    RemoteFailureCase("changed-host-key", .ssh, code: 4) {
      try $0.know($0.host.hostKeyLine("another-host"))
    },
    RemoteFailureCase("read-only", .ssh, code: 4) { try $0.configureShell(key: "reader") },
    RemoteFailureCase("full", .ssh, code: 6) { try $0.configureShell(key: "full") },
    RemoteFailureCase("dropped", .ssh, code: 6) {
      try $0.configureShell(key: "dropped")
      try $0.addHook("pre-receive", "sleep 3; exit 1")
    } mend: {
      try $0.removeHook("pre-receive")
    },
  ]

  private static let http = [
    RemoteFailureCase("untrusted-certificate", .http, code: 4) {
      try $0.setURL("https://localhost:\(StrangerServer.shared.get().port)/home.git")
    },
    RemoteFailureCase("wrong-password", .http, code: 4) {
      try $0.setURL($0.host.url(of: $0.repository, as: "anna:wr0ng"))
    },
    RemoteFailureCase("no-password", .http, code: 4) {
      try $0.setURL($0.host.url(of: $0.repository))
    },
    RemoteFailureCase("read-only", .http, code: 4) {
      try Git.run("config", "http.receivepack", "false", in: $0.repository)
    } mend: {
      try Git.run("config", "--unset", "http.receivepack", in: $0.repository)
    },
  ]
}
