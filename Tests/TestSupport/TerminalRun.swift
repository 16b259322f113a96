internal import Foundation
internal import Libc

extension CommandRunner {
  /// Runs larder at a new terminal, and answers each question as soon as it is asked.
  ///
  /// An answer of U+0004 is Ctrl-D. Returns the exit code and the terminal's output.
  public func atTerminal(
    _ words: String..., in place: String = "", answers: [(question: String, answer: String)]
  ) throws -> (code: Int32, screen: String) {
    let (person, program) = try Self.newTerminal()
    defer { close(person) }
    let terminal = FileHandle(fileDescriptor: program, closeOnDealloc: false)
    let process = try process(words, in: place, drafts: try Folder())
    process.environment = environment.merging(["NO_COLOR": "1"]) { $1 }
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    close(program)
    var shown: [UInt8] = []
    var seen = 0
    var rest = answers[...]
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      var ready = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 200) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(person, &bytes, bytes.count)
      // Linux reports an error when the other end is closed.
      guard count > 0 else { break }
      shown += bytes.prefix(count)
      let news = String(decoding: shown.dropFirst(seen), as: UTF8.self)
      guard let next = rest.first, news.contains(next.question) else { continue }
      seen = shown.count
      rest.removeFirst()
      let typed = next.answer == "\u{4}" ? next.answer : next.answer + "\n"
      // When a terminal is told to hide the input, it drops earlier input.
      Thread.sleep(forTimeInterval: 0.3)
      _ = typed.withCString { write(person, $0, strlen($0)) }
    }
    // A process that waits for an unknown answer ignores other signals.
    if process.isRunning, Date() >= end { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: shown, as: UTF8.self))
  }

  /// Creates a new terminal, and returns the person's end and the program's end.
  private static func newTerminal() throws -> (person: Int32, program: Int32) {
    let person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard person >= 0 else { throw NoTerminal() }
    #if canImport(Darwin)
      let isOpen = grantpt(person) == 0 && unlockpt(person) == 0
      let name = ptsname(person).map { String(cString: $0) } ?? ""
    #else
      // TIOCSPTLCK and TIOCGPTN, which Swift lacks.
      var lock: Int32 = 0
      var number: UInt32 = 0
      let isOpen =
        ioctl(person, 0x4004_5431, &lock) == 0 && ioctl(person, 0x8004_5430, &number) == 0
      let name = "/dev/pts/\(number)"
    #endif
    let program = isOpen ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
    guard program >= 0 else {
      close(person)
      throw NoTerminal()
    }
    return (person, program)
  }

  struct NoTerminal: Error {}
}
