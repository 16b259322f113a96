internal import Libc
internal import LarderStore

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
    do throws(ReceiptBytes.Mistake) {
      return try ReceiptBytes.text(bytes)
    } catch {
      throw .bytes(error)
    }
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
