internal import Foundation
internal import LarderJSON
public import LarderKit
internal import LarderText
internal import Libc

extension ServeError: WordedError {}
extension PhonesError: WordedError {}

extension ServeError: HasErrorWords {
  /// The words for a server that can't start.
  package var errorWords: ErrorWords {
    switch self {
    case .noLibrary:
      ErrorWords(
        .failed, "serving needs libmicrohttpd 0.9.64 or newer, which is not installed",
        "install it, by 'apt-get install libmicrohttpd12' ('libmicrohttpd12t64' from Debian 13 and "
          + "Ubuntu 24.04 on) or 'brew install libmicrohttpd' for example")
    case .noTLS:
      ErrorWords(
        .failed, "the libmicrohttpd of this system was built without TLS",
        "without --certificate, a proxy such as Caddy or 'tailscale serve' can speak https before it"
      )
    case .badCertificate(let certificate, let key):
      ErrorWords(
        .invalidData, "\(certificate) and \(key) are no certificate with its key",
        "both are files of PEM, the certificate with its chain; 'openssl x509 -in FILE -text' reads one"
      )
    case .portInUse(let port):
      ErrorWords(
        .locked, "another program uses the port \(port)",
        "end it, or choose another port with '--port N'")
    case .portNotAllowed(let port):
      ErrorWords(
        .notAllowed, "the system lets only its administrator use the port \(port)",
        "choose a port from 1024 on with '--port N'")
    case .running:
      ErrorWords(
        .locked, "another 'larder serve' is at work for this household",
        "'larder serve --pair' shows a code for one more phone")
    case .notRunning:
      ErrorWords(
        .notFound, "no server of this household is running here",
        "'larder serve' starts one, and shows a code if no phone is paired")
    case .notStarted: ErrorWords(.failed, "libmicrohttpd did not start, and gave no reason")
    case .system(let action, let path, let code):
      ErrorWords(.failed, "can't \(action) \(path): \(String(cString: strerror(code)))")
    }
  }

}

extension PhonesError: HasErrorWords {
  /// The words for a list of phones that can't be used.
  package var errorWords: ErrorWords {
    switch self {
    case .noHome:
      ErrorWords(.failed, "there is no place for the list of phones: HOME is not set")
    case .unreadable(let path, let position):
      ErrorWords(
        .invalidData,
        "the list of phones can't be read: it is no JSON at \(path):\(position.line):\(position.column)",
        mendPhones(path))
    case .malformed(let path, let member):
      ErrorWords(
        .invalidData,
        "the list of phones can't be read: '\(member)' is not what it should be in \(path)",
        mendPhones(path))
    case .exposed(let path, let mode):
      ErrorWords(
        .failed, "\(path) can be read or changed by others (\(String(mode, radix: 8)))",
        "'chmod go-rwx \(shellWord(path))' closes it")
    case .foreign(let path): ErrorWords(.failed, "\(path) belongs to another user")
    case .notAFile(let path): ErrorWords(.failed, "\(path) is not a file")
    case .system(let action, let path, let code):
      ErrorWords(.failed, "can't \(action) \(path): \(String(cString: strerror(code)))")
    }
  }

  private func mendPhones(_ path: String) -> String {
    "mend \(path), or move it away and pair the phones again"
  }
}
