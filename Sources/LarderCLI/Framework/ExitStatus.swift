/// The end of a command that has already reported everything, with the process's exit code.
///
/// It is for findings that are the command's own data, such as those of `check`.
struct ExitStatus: Error, Sendable, Equatable {
  let code: Int32
}
