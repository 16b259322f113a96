import LarderKit
import LarderModel

/// The text of a receipt, and its source.
struct ReceiptSource {
  let text: String
  let lines: [Substring]
  /// The file; nil for standard input.
  private let path: String?

  /// Reads a file, or standard input.
  init(_ path: String?, for reader: ReceiptTextReader, _ invocation: Invocation) throws {
    self.path = path == "-" ? nil : path
    do {
      if let file = self.path {
        text = try ReceiptFile.text(at: file, for: reader)
      } else {
        text = try Self.input(invocation, isAsked: path == "-")
      }
      lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    } catch let error as ReceiptFileError {
      throw error.commandError(path: self.path)
    } catch {
      throw MessageWords().commandError(for: error)
    }
  }

  /// Returns a problem with a line, from 1; a note has no excerpt.
  func problem(_ message: String, line: Int, _ severity: Problem.Severity) -> Problem {
    let words = lines.indices.contains(line - 1) ? String(lines[line - 1]) : nil
    return Problem(
      message, path: path ?? "standard input", line: line,
      sourceLine: severity == .note ? nil : words, severity: severity)
  }

  private static func input(_ invocation: Invocation, isAsked: Bool) throws -> String {
    guard isAsked || !invocation.output.terminal.inputIsTerminal else {
      throw CommandError(
        .usage, "the receipt is missing",
        hints: ["name a file, or type 'larder receipt read -' and paste a text, with ^D at its end"]
      )
    }
    var bytes: [UInt8] = []
    while bytes.count <= ReceiptBytes.most, let line = invocation.prompt.input.readLine() {
      bytes += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
    guard ReceiptBytes.format(of: bytes) == .text else {
      throw CommandError(
        .usage, "standard input is no text",
        hints: ["name the file of a PDF or a photo: larder receipt read FILE"])
    }
    do throws(ReceiptBytes.Mistake) {
      return try ReceiptBytes.text(bytes)
    } catch {
      throw ReceiptFileError.bytes(error)
    }
  }
}
