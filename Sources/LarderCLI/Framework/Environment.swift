import Foundation
import Libc

/// The environment variables and the program's own file, of the process or of a test.
public struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?
  private let findProgram: @Sendable () -> String?

  /// The variables of this process.
  public static let process = Environment(program: { Bundle.main.executablePath }) { name in
    getenv(name).map { String(cString: $0) }
  }

  /// Creates an environment with exactly these variables.
  public init(_ variables: [String: String], program: String? = nil) {
    self.init(program: { program }) { variables[$0] }
  }

  private init(
    program: @escaping @Sendable () -> String?, lookup: @escaping @Sendable (String) -> String?
  ) {
    findProgram = program
    self.lookup = lookup
  }

  /// The path of the program, with which git and the program itself start it again.
  ///
  /// Foundation takes a while to find it, and few commands ask.
  var program: String? { findProgram() }

  /// The value of a variable; nil if it is not set or empty.
  public subscript(name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns the text of a variable, which may be empty; nil if it is not set.
  func text(of name: String) -> String? { lookup(name) }
}
