/// What a simulation found wrong.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Fails with a text unless something holds.
func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw Failure(text()) }
}
