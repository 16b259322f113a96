/// A broken promise that a simulation found.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a failure with a text if the condition is false.
func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw Failure(text()) }
}
