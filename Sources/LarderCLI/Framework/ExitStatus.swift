/// The end of a command that has said all there is to say, with the process's exit code.
///
/// For findings that are the command's own data, such as those of `check`.
struct ExitStatus: Error, Sendable, Equatable {
  let code: Int32
}
