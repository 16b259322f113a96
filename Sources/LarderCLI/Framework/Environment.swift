#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The environment variables, from the process or from a dictionary in tests.
public struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  /// The variables of this process.
  public static let process = Environment { name in
    getenv(name).map { String(cString: $0) }
  }

  /// Creates an environment with exactly these variables.
  public init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  private init(lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// The value of a variable; nil if it is not set or empty.
  public subscript(name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }
}
