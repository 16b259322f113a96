internal import LarderStore
internal import Libc

/// The reason why no receipt's text can be read from a file.
public enum ReceiptFileError: Error, Equatable, Sendable {
  case bytes(ReceiptBytes.Mistake)
  /// Larder can't read files of this format.
  case format(ReceiptBytes.Format)
  /// The program that reads such files is not installed. `package` is its package in Debian.
  case notInstalled(program: String, package: String)
  /// The program could not read the file. `status` is its exit code, or 128 plus a signal's number.
  case unreadable(program: String, status: Int32)
  case tookTooLong(program: String, seconds: Int)
  /// The program found no letters.
  case noText(program: String)
}

/// A file with a receipt: a text, a PDF or a photo.
public enum ReceiptFile {
  /// Returns the text of a file.
  ///
  /// `pdftotext` reads up to 20 pages of a PDF in at most 5 seconds. `tesseract` reads a photo in
  /// at most a minute. If `reader` finds that the result does not add up, the photo may lie on its
  /// side, and `tesseract` has another minute. The programs may use 2 GiB of memory and write
  /// ``ReceiptBytes/most`` bytes.
  ///
  /// Throws `StoreError` if the file can't be read, and ``ReceiptFileError``.
  public static func text(at path: String, for reader: ReceiptTextReader) throws -> String {
    let bytes = try read(path)
    switch ReceiptBytes.format(of: bytes) {
    case .text: return try text(bytes)
    case .pdf:
      return try text(
        of: "pdftotext", in: "poppler-utils", seconds: 5,
        ["-layout", "-enc", "UTF-8", "-l", "20", plain(path), "-"])
    case .picture:
      return try text(ofPhoto: path, for: reader)
    case .heic: throw ReceiptFileError.format(.heic)
    case .archive: throw ReceiptFileError.format(.archive)
    }
  }

  private static func text(ofPhoto path: String, for reader: ReceiptTextReader) throws -> String {
    let languages = try languages()
    let run = { (options: [String]) in
      try text(
        of: "tesseract", in: "tesseract-ocr", seconds: 60,
        [plain(path), "stdout"] + (languages.isEmpty ? [] : ["-l", languages]) + options)
    }
    let upright = Result { try run(["--psm", "6", "-c", "preserve_interword_spaces=1"]) }
    let read = (try? upright.get()).map { reader.read($0) }
    if read?.addsUp ?? false { return try upright.get() }
    // Most photos of phones lie on their side.
    guard let table = try? run(["--psm", "12", "-c", "min_characters_to_try=20", "tsv"]) else {
      return try upright.get()
    }
    let turned = PhotoText(table: table).text
    let isBetter = reader.read(turned).addsUp || read?.lines.isEmpty ?? true
    return isBetter ? turned : try upright.get()
  }

  private static func text(_ bytes: [UInt8]) throws(ReceiptFileError) -> String {
    return try mapError(try ReceiptBytes.text(bytes), ReceiptFileError.bytes)
  }

  /// Returns the bytes of a file, at most one more than ``ReceiptBytes/most``.
  private static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.system(action: "read", path: path, code: errno)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= ReceiptBytes.most {
      let count = Libc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw StoreError.system(action: "read", path: path, code: errno)
      }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Returns a path that no program can take for an option.
  private static func plain(_ path: String) -> String { path.hasPrefix("-") ? "./" + path : path }

  /// Returns the installed languages among those of receipts, as `tesseract` expects them.
  private static func languages() throws -> String {
    let known = ["eng", "deu", "fra", "spa", "msa"]
    let run = try ReaderProgram("tesseract", ["--list-langs"], seconds: 5).run(in: "tesseract-ocr")
    let installed = Set(
      String(decoding: run, as: UTF8.self).split(separator: "\n").map(String.init))
    return known.filter(installed.contains).joined(separator: "+")
  }

  private static func text(
    of program: String, in package: String, seconds: Int, _ arguments: [String]
  ) throws -> String {
    let output = try ReaderProgram(program, arguments, seconds: seconds).run(in: package)
    // The output for a page without letters is a line feed and a form feed.
    guard output.contains(where: { $0 > 0x20 }) else {
      throw ReceiptFileError.noText(program: program)
    }
    return try text(output)
  }
}

/// A program that reads untrusted files, with limits for its time and memory.
private struct ReaderProgram {
  private let name: String
  private let arguments: [String]
  /// The time limit in seconds, by the clock and by the processor's time.
  private let seconds: Int

  init(_ name: String, _ arguments: [String], seconds: Int) {
    self.name = name
    self.arguments = arguments
    self.seconds = seconds
  }

  /// Runs the program without input, and returns its output.
  func run(in package: String) throws(ReceiptFileError) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .unreadable(program: name, status: 126) }
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
    _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
    let child = start(writing)
    close(writing)
    defer { close(reading) }
    guard let child else { throw .unreadable(program: name, status: 126) }
    let (bytes, isWhole) = drain(reading)
    if !isWhole { kill(child, SIGKILL) }
    let status = ChildProcess.end(of: child) ?? 126
    if status == 128 + SIGXCPU { throw .tookTooLong(program: name, seconds: seconds) }
    guard isWhole else {
      throw bytes.count > ReceiptBytes.most
        ? .bytes(.tooLarge) : .tookTooLong(program: name, seconds: seconds)
    }
    if status == 127 { throw .notInstalled(program: name, package: package) }
    guard status == 0 else { throw .unreadable(program: name, status: status) }
    return bytes
  }

  /// Starts the program with a shell's limits; nil if there is no shell.
  private func start(_ writing: Int32) -> pid_t? {
    // macOS can't limit the memory; its message about that is discarded.
    let limits = """
      ulimit -v 2097152 2>/dev/null; ulimit -t \(seconds); ulimit -c 0
      OMP_THREAD_LIMIT=1; export OMP_THREAD_LIMIT
      exec "$@"
      """
    var shell = ChildProcess(["/bin/sh", "-c", limits, "sh", name] + arguments)
    shell.input = .nothing
    shell.output = .descriptor(writing)
    shell.complaint = .nothing
    return try? shell.start()
  }

  /// Reads to the end; the second value is false if there was too much data or it took too long.
  private func drain(_ reading: Int32) -> ([UInt8], Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while bytes.count <= ReceiptBytes.most {
      let rest = clock.now.duration(to: end).components.seconds
      guard rest > 0 else { return (bytes, false) }
      var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(rest) * 1000) > 0 else { continue }
      let count = Libc.read(reading, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (bytes, true) }
      bytes += buffer[..<count]
    }
    return (bytes, false)
  }
}

/// The text of a receipt in a file.
public enum ReceiptBytes {
  /// The largest number of bytes of a text or a picture that is read: 16 MiB.
  public static let most = 16 << 20

  /// The format of a file, which its first bytes tell.
  public enum Format: String, Sendable {
    case text, pdf, picture
    /// A picture format that the text recognition can't read.
    case heic
    case archive
  }

  /// The reason why bytes are not text.
  public enum Mistake: Error, Equatable, Sendable {
    /// The text is not UTF-8. The name of its encoding is as `iconv` calls it; nil if it is not
    /// known.
    case encoding(String?)
    /// The bytes have zeros or other control characters, so they are not text.
    case noText
    case tooLarge
    /// The text has more lines than ``ReceiptTextReader/mostLines``.
    case tooManyLines
  }

  /// Returns the format of a file.
  public static func format(of bytes: [UInt8]) -> Format {
    let starts = { (prefix: [UInt8]) in bytes.starts(with: prefix) }
    if bytes.prefix(1024).split(separator: UInt8(ascii: "%")).contains(where: {
      $0.starts(with: "PDF-".utf8)
    }) {
      return .pdf
    }
    let pictures: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
      [0x47, 0x49, 0x46, 0x38], [0x42, 0x4D],
    ]
    if pictures.dropLast().contains(where: starts) { return .picture }
    if starts([0x42, 0x4D]), bytes.prefix(64).contains(0) { return .picture }
    if starts(Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .picture }
    if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return .heic }
    if starts([0x50, 0x4B, 3, 4]) || starts([0x1F, 0x8B]) { return .archive }
    return .text
  }

  /// Returns the text of bytes, which must be UTF-8.
  public static func text(_ bytes: [UInt8]) throws(Mistake) -> String {
    guard bytes.count <= most else { throw .tooLarge }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw .encoding("UTF-16")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw bytes.contains(0) ? .noText : .encoding(encoding(of: bytes))
    }
    // Lines that were read one by one have this character where they were not UTF-8.
    guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .encoding(nil) }
    guard !bytes.contains(0) else { throw .noText }
    let breaks = bytes.count { $0 == 0x0A || $0 == 0x0C }
    guard breaks <= ReceiptTextReader.mostLines else { throw .tooManyLines }
    return text
  }

  /// Returns the likely encoding: Shift-JIS if all bytes are valid in it and some are kana.
  private static func encoding(of bytes: [UInt8]) -> String {
    var kana = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x81...0x9F, 0xE0...0xFC:
        guard index + 1 < bytes.count, (0x40...0xFC).contains(bytes[index + 1]),
          bytes[index + 1] != 0x7F
        else { return "WINDOWS-1252" }
        if bytes[index] == 0x82 || bytes[index] == 0x83 { kana += 1 }
        index += 2
      case 0x80, 0xA0, 0xFD...0xFF: return "WINDOWS-1252"
      default: index += 1
      }
    }
    return kana > 1 ? "SHIFT_JIS" : "WINDOWS-1252"
  }
}

/// The text of a photo that may lie on its side, from the words and places that `tesseract` finds.
///
/// The direction in which words follow each other tells how the photo lies. Rows are built from the
/// places of the words, because amounts stand far from their names.
struct PhotoText {
  let text: String

  /// A word with its place along and across the lines, in the photo's pixels.
  private struct Word {
    let text: String
    /// The place of its first letter along the line.
    var start: Double
    /// The place of the line, at the middle of the word.
    var line: Double
    let length: Double
    let thickness: Double
  }

  /// Reads the table that `tesseract` writes with the option `tsv`.
  init(table: String) {
    let boxes = table.split(separator: "\n").compactMap { Box(row: $0) }
    let direction = Self.direction(of: boxes)
    let found = boxes.map { $0.word(direction) }
    // A column of marks that was read as one word crosses many lines.
    let usual = Self.median(found.map(\.thickness)) ?? 0
    var words = found.filter { $0.thickness < 2.5 * usual }
    // The photo's tilt is removed.
    let lean = Self.median(
      Self.neighbours(boxes).compactMap { one, other in
        let (from, to) = (one.word(direction), other.word(direction))
        let step = to.start - from.start
        return step > from.thickness ? (to.line - from.line) / step : nil
      })
    for place in words.indices { words[place].line -= (lean ?? 0) * words[place].start }
    text = Self.rows(of: words).map(Self.text).joined(separator: "\n")
  }

  /// The direction of the lines, by the number of quarter turns from an upright photo.
  private enum Direction: Int, CaseIterable { case right, down, left, up }

  /// A row of the table that has a word.
  private struct Box {
    /// The numbers of the page, the block, the paragraph and the line.
    let line: [Substring]
    let text: String
    let left, top, width, height: Double

    init?(row: Substring) {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count == 12, cells[11].contains(where: { !$0.isWhitespace }),
        let left = Double(cells[6]), let top = Double(cells[7]), let width = Double(cells[8]),
        let height = Double(cells[9]), width > 0, height > 0
      else { return nil }
      line = Array(cells[1...4])
      text = String(cells[11])
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    func word(_ direction: Direction) -> Word {
      var (left, top, width, height) = (left, top, width, height)
      for _ in 0..<direction.rawValue {
        (left, top, width, height) = (top, -left - width, height, width)
      }
      return Word(
        text: text, start: left, line: top + height / 2, length: width, thickness: height)
    }
  }

  /// Returns the pairs of words that follow each other on a line.
  private static func neighbours(_ boxes: [Box]) -> [(Box, Box)] {
    zip(boxes, boxes.dropFirst()).filter { $0.line == $1.line }
  }

  /// Returns the direction in which most words follow each other.
  private static func direction(of boxes: [Box]) -> Direction {
    var counts: [Direction: Int] = [:]
    for (one, other) in neighbours(boxes) {
      let (right, down) = (other.left - one.left, other.top - one.top)
      let direction: Direction =
        abs(right) > abs(down) ? (right > 0 ? .right : .left) : (down > 0 ? .down : .up)
      counts[direction, default: 0] += 1
    }
    return Direction.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .right
  }

  private static func rows(of words: [Word]) -> [[Word]] {
    let reach = (median(words.map(\.thickness)) ?? 0) / 2
    var rows: [[Word]] = []
    for word in words.sorted(by: { $0.line < $1.line }) {
      if let last = rows.last?.last, word.line - last.line < reach {
        rows[rows.count - 1].append(word)
      } else {
        rows.append([word])
      }
    }
    return rows.map { row in row.sorted { $0.start < $1.start } }
  }

  /// Returns the text of a row, with spaces in proportion to the gaps.
  private static func text(of row: [Word]) -> String {
    let letter = median(row.map { $0.length / Double($0.text.count) }) ?? 1
    var text = ""
    var end: Double?
    for word in row {
      if let end {
        let blanks = ((word.start - end) / max(letter, 1)).rounded()
        text += String(repeating: " ", count: Int(min(max(blanks, 1), 40)))
      }
      text += word.text
      end = word.start + word.length
    }
    return text
  }

  private static func median(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.sorted()[numbers.count / 2]
  }
}
