import LarderKit
import Libc

/// `larder import`: takes over the data of another program.
enum ImportCommand {
  static let command = Command(
    "import", group: "Household",
    parts: [
      .init("csv") { ImportCSV.command.withDryRun },
      .init("json") { JSONCopy.take.withDryRun },
      .init("todo.txt") { TodoCommand.take.withDryRun },
      .init("grocy") { GrocyImport.command.withDryRun },
    ])
}

/// The imported file, or standard input.
struct InputFile {
  static let argument = Argument("FILE", values: .file, help: "the file; - reads standard input")

  let bytes: [UInt8]
  /// The name for messages.
  let name: String

  /// Reads the whole file that an argument names; throws if it has more than `most` bytes.
  init(_ path: String, atMost most: Int = CSVFile.mostBytes, _ invocation: Invocation) throws {
    name = path == "-" ? "standard input" : path
    bytes =
      path == "-"
      ? Self.standardInput(invocation, atMost: most + 1)
      : try FileBytes.read(path, atMost: most + 1)
    guard bytes.count <= most else {
      throw CommandError(
        .invalidData, "\(name) has more than \(most >> 20) MiB, and nothing of it was imported",
        "import it in several parts")
    }
  }

  private static func standardInput(_ invocation: Invocation, atMost most: Int) -> [UInt8] {
    let input = invocation.prompt.input
    if let bytes = input.readBytes?(most) { return bytes }
    var text = ""
    while let line = input.readLine() { text += line + "\n" }
    return Array(text.utf8)
  }

  /// Runs an import of the file; its mistakes get the file's name.
  func importing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      var failure = MessageWords().commandError(for: error)
      for index in failure.problems.indices where failure.problems[index].line != nil {
        failure.problems[index].path = failure.problems[index].path ?? name
      }
      throw failure
    }
  }
}
