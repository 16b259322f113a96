internal import Clibgit2
internal import Libc

/// The git program, run as a child process for what libgit2 does not do well.
struct GitProgram {
  /// The result of a run of the program.
  struct Outcome {
    /// The exit status; 128 plus the signal's number if a signal killed it.
    var status: Int32
    /// The standard output.
    var output: String
    /// The standard error, without blank lines at its end and without the carriage returns of ssh.
    var complaint: String
  }

  /// Environment variables that may refer to another repository, for example inside a hook.
  ///
  /// They are removed.
  static let foreignVariables: Set<String> = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_DIR",
    "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE", "LC_ALL", "LANGUAGE",
  ]

  let path: String

  /// Throws `noProgram` without a path.
  init(_ path: String?, action: String) throws(GitError) {
    guard let path else {
      throw GitError(.noProgram, action: action, detail: "there is no git program in PATH")
    }
    self.path = path
  }

  /// Returns the first executable `git` in the folders of `PATH`, or nil if there is none.
  static func find() -> String? {
    guard let folders = getenv("PATH") else { return nil }
    for folder in String(cString: folders).split(separator: ":") {
      let candidate = String(folder) + "/git"
      var status = stat()
      if access(candidate, X_OK) == 0, stat(candidate, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      {
        return candidate
      }
    }
    return nil
  }

  /// Runs the program to its end, without a shell and without input.
  ///
  /// Git may ask for a password only if there is a terminal. `settings` are environment variables
  /// to add, as `NAME=value`. `waiting` is called once, after five seconds without output. A signal
  /// that ends this process also ends git.
  func run(
    _ arguments: [String], settings: [String] = [], action: String, waiting: (() -> Void)? = nil
  ) throws(GitError) -> Outcome {
    let output = try Pipe(action: action)
    let complaint = try Pipe(action: action)
    let mayAsk = Self.mayAsk
    var program = ChildProcess([path] + arguments)
    program.input = .nothing
    program.output = .descriptor(output.writing)
    program.complaint = .descriptor(complaint.writing)
    program.environment = environment(adding: settings)
    // Git does not end the helpers of its transports; a signal to the process group does. But a git
    // that may ask must stay in the terminal's group, or the terminal would stop it.
    program.isInOwnGroup = !mayAsk
    let child = try start(program, action: action)
    let relay = SignalRelay(to: mayAsk ? child : -child)
    output.closeWriting()
    complaint.closeWriting()
    let texts = Pipe.drain(output, complaint, waiting: waiting)
    relay.end()
    guard let status = ChildProcess.end(of: child) else {
      throw GitError.system(action: action, path: path)
    }
    return Outcome(
      status: status, output: texts.0,
      complaint: withoutFinalBlanks(texts.1.replacing("\r\n", with: "\n")))
  }

  private func start(_ program: ChildProcess, action: String) throws(GitError) -> pid_t {
    do throws(ChildProcess.NotStarted) {
      return try program.start()
    } catch {
      throw GitError(
        .other(error.code), action: action, detail: String(cString: strerror(error.code)),
        path: path)
    }
  }

  /// Whether there is a terminal and prompts are not forbidden.
  static var mayAsk: Bool {
    let wish = getenv("GIT_TERMINAL_PROMPT").map { String(cString: $0).lowercased() }
    return isatty(0) != 0 && !["0", "false", "no", "off"].contains(wish)
  }

  private func environment(adding more: [String]) -> [String] {
    var settings = ["LC_ALL=C"]
    var place = larder_git_environment()
    while let line = place?.pointee {
      let setting = String(cString: line)
      let name = String(setting.prefix { $0 != "=" })
      if !Self.foreignVariables.contains(name) { settings.append(setting) }
      place = place?.advanced(by: 1)
    }
    let added = more + (Self.mayAsk ? [] : ["GIT_TERMINAL_PROMPT=0"])
    for setting in added {
      let name = setting.prefix { $0 != "=" } + "="
      settings.removeAll { $0.hasPrefix(name) }
    }
    return settings + added
  }

  private func withoutFinalBlanks(_ text: String) -> String {
    var text = text[...]
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}

/// The versions of libgit2 and of the git program.
public enum GitVersion {
  /// The version of libgit2, such as `1.5.1`.
  public static var library: String {
    var major: Int32 = 0
    var minor: Int32 = 0
    var revision: Int32 = 0
    git_libgit2_version(&major, &minor, &revision)
    return "\(major).\(minor).\(revision)"
  }

  /// Returns the version of the git program in `PATH`, such as `2.39.5`, or nil if none runs.
  public static func program() -> String? {
    do throws(GitError) {
      let action = "ask git for its version"
      let outcome = try GitProgram(GitProgram.find(), action: action).run(
        ["--version"], action: action)
      // The output is "git version 2.39.5"; some builds add a remark.
      let words = outcome.output.split(whereSeparator: \.isWhitespace)
      return outcome.status == 0 && words.count >= 3 ? String(words[2]) : nil
    } catch {
      return nil
    }
  }
}

/// A pipe from a child process.
final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init(action: String) throws(GitError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw GitError.system(action: action, path: nil) }
    reading = ends[0]
    writing = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  deinit {
    closeWriting()
    close(reading)
  }

  /// Reads both pipes to their ends, at the same time, so that neither fills up and blocks the
  /// child.
  ///
  /// Calls `waiting` once if nothing came for five seconds.
  static func drain(
    _ first: Pipe, _ second: Pipe, waiting: (() -> Void)? = nil
  ) -> (String, String) {
    var texts: [[UInt8]] = [[], []]
    var patience: Int32 = waiting == nil ? -1 : 5000
    var ends = [first, second].map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
    while ends.contains(where: { $0.fd >= 0 }) {
      let ready = poll(&ends, 2, patience)
      guard ready >= 0 || errno == EINTR else { break }
      if ready == 0 {
        waiting?()
        patience = -1
      }
      for side in ends.indices where ends[side].fd >= 0 && ends[side].revents != 0 {
        if !take(from: ends[side].fd, into: &texts[side]) { ends[side].fd = -1 }
        ends[side].revents = 0
      }
    }
    return (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
  }

  /// Reads some bytes; returns false at the end.
  private static func take(from descriptor: Int32, into text: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { text += buffer[..<count] }
      return count > 0 || (count < 0 && errno == EINTR)
    }
  }
}

/// A relay that ends a child process together with this one, when a signal ends this process.
///
/// A terminal's Ctrl-C reaches both anyway; a `kill` of this process alone does not. Signals that
/// are handled or ignored already are not changed.
struct SignalRelay {
  private static let signals = [SIGHUP, SIGINT, SIGTERM]
  /// Read by a signal handler, which must not touch anything guarded by the language.
  nonisolated(unsafe) private static let child = {
    let place = UnsafeMutablePointer<pid_t>.allocate(capacity: 1)
    place.initialize(to: 0)
    return place
  }()

  private let taken: [Int32]

  /// Passes signals on to a child until ``end()``; a negative number is a process group.
  init(to child: pid_t) {
    Self.child.pointee = child
    taken = Self.signals.filter { number in
      let former = signal(number) { number in
        if SignalRelay.child.pointee != 0 { kill(SignalRelay.child.pointee, number) }
        signal(number, SIG_DFL)
        raise(number)
      }
      guard unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self) else {
        signal(number, former)
        return false
      }
      return true
    }
  }

  /// Restores the signals; call it before the child's process id can be reused.
  func end() {
    Self.child.pointee = 0
    for number in taken { signal(number, SIG_DFL) }
  }
}
