/// Returns a value; if it throws, throws the error that `failure` makes of its error.
package func mapError<Value, Cause: Error, Failure: Error>(
  _ value: @autoclosure () throws(Cause) -> Value, _ failure: (Cause) -> Failure
) throws(Failure) -> Value {
  do throws(Cause) { return try value() } catch { throw failure(error) }
}
