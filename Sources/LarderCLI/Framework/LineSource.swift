import Libc

/// The source of a user's answers, line by line.
struct LineSource: Sendable {
  /// Returns the next line without its ending; nil at the end of the input.
  var readLine: @Sendable () -> String?
  /// Returns the next line while the terminal does not show the typed text.
  var readHiddenLine: @Sendable () -> String?
  /// Returns up to `most` bytes of input that need not be lines; nil if the source has only lines.
  var readBytes: (@Sendable (_ most: Int) -> [UInt8]?)?

  /// The process's standard input.
  static let standardInput = LineSource(
    readLine: { Swift.readLine(strippingNewline: true) },
    readHiddenLine: {
      var shown = termios()
      guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return Swift.readLine() }
      var hidden = shown
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
      defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
      return Swift.readLine(strippingNewline: true)
    }, readBytes: { bytes(from: STDIN_FILENO, atMost: $0) })

  /// Returns up to a number of bytes of a descriptor; nil, with `errno`, if it can't be read.
  static func bytes(from descriptor: Int32, atMost most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < most {
      let count = chunk.withUnsafeMutableBytes { Libc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
