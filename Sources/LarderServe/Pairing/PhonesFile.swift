internal import LarderJSON
internal import LarderStore
internal import LarderText
internal import Libc

/// What the file of paired phones has: the phones, and the code that pairs the next one.
struct PairedPhones: Hashable {
  struct Code: Hashable {
    var long: [UInt8]
    var typed: [UInt8]
    /// In milliseconds since 1970.
    var until: Int64
    /// The name of the phone whose place may be taken with it.
    var replaces: String?
  }

  var phones: [Phone] = []
  var code: Code?
}

/// A paired phone.
public struct Phone: Sendable, Hashable {
  public var name: String
  /// The SHA-256 of its token.
  var digest: [UInt8]
  /// The days (UTC) of pairing and of the last use.
  public var paired: String
  public var lastUsed: String?
}

/// The file with a household's paired phones on this device, which only its user can read.
///
/// It is outside of the household, in the user's folder for states: `$XDG_STATE_HOME` if it is an
/// absolute path, otherwise `$HOME/.local/state` (XDG Base Directory Specification). It has no
/// token, only their digests. All processes change it under a lock, and replace it as a whole. A
/// damaged file stays as it is, and nobody is let in by it.
struct PhonesFile: Sendable {
  let folder: String
  var path: String { folder + "/phones.json" }
  private var lockPath: String { folder + "/phones.lock" }

  /// The file of the household with an id.
  init(household id: String, environment: [String: String]) throws(PhonesError) {
    let isPlain = !id.isEmpty && id.utf8.count <= 64 && id.utf8.allSatisfy(Self.isPlain)
    let name = isPlain ? id : hexadecimal(SHA256.digest(of: Array(id.utf8)))
    if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") {
      folder = "\(home)/larder/\(name)"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = "\(home)/.local/state/larder/\(name)"
    } else {
      throw .noHome
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || byte == 0x2d
  }

  /// Reads the file; without one there are no phones.
  func read() throws(PhonesError) -> PairedPhones {
    guard let bytes = try content() else { return PairedPhones() }
    let root: JSON
    do throws(JSONMistake) {
      root = try JSON(parsing: bytes)
    } catch {
      throw .unreadable(path: path, error.position)
    }
    return try decode(root)
  }

  /// Changes what the file has, while no other process does; `body` says whether it is to be written.
  func change<Value>(
    _ body: (inout PairedPhones) -> (value: Value, isNew: Bool)
  ) throws(PhonesError) -> Value {
    try makeFolder()
    let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("lock", lockPath) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("lock", lockPath) }
    }
    var phones = try read()
    let (value, isNew) = body(&phones)
    if isNew { try write(phones) }
    return value
  }

  private func write(_ phones: PairedPhones) throws(PhonesError) {
    do throws(StoreError) {
      try SystemFile.replace(path, with: encode(phones).writeFile(), rights: 0o600)
      try SystemFile.synchronizeFolder(folder)
    } catch {
      throw PhonesError(error, path)
    }
  }

  /// The state of the file, by which a running server notices a change.
  var state: FileState? { FileState(of: path) }

  /// Creates the folder, in which only the user may read and write.
  func makeFolder() throws(PhonesError) {
    var place = ""
    for step in folder.split(separator: "/") {
      place += "/" + step
      guard mkdir(place, 0o700) == 0 || errno == EEXIST else {
        // A folder above may belong to others, who let nobody make anything there.
        if FileState(of: place) != nil { continue }
        throw failure("make the folder", place)
      }
    }
    try checkFolder()
  }

  private func checkFolder() throws(PhonesError) {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure("read", folder) }
    try check(status, folder, closedTo: 0o022)
  }

  private func content() throws(PhonesError) -> [UInt8]? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    try check(status, path, closedTo: 0o077)
    try checkFolder()
    do throws(StoreError) {
      return try SystemFile.read(path)
    } catch {
      throw PhonesError(error, path)
    }
  }

  private func check(_ status: stat, _ path: String, closedTo others: mode_t)
    throws(PhonesError)
  {
    guard status.st_uid == geteuid() else { throw .foreign(path: path) }
    guard status.st_mode & others == 0 else {
      throw .exposed(path: path, mode: UInt32(status.st_mode & 0o777))
    }
  }

  private func failure(_ action: String, _ path: String) -> PhonesError {
    .system(action: action, path: path, code: errno)
  }
}

extension PhonesError {
  fileprivate init(_ error: StoreError, _ path: String) {
    guard case .system(let action, let path, let code) = error else {
      self = .notAFile(path: path)
      return
    }
    self = .system(action: action, path: path, code: code)
  }
}

// MARK: - Its JSON

extension PhonesFile {
  private func encode(_ phones: PairedPhones) -> JSON {
    [
      "phones": .array(
        phones.phones.map { phone in
          [
            "name": .string(phone.name), "token": .string(hexadecimal(phone.digest)),
            "paired": .string(phone.paired), "lastUsed": phone.lastUsed.map { .string($0) },
          ]
        }),
      "code": phones.code.map { code in
        [
          "long": .string(hexadecimal(code.long)), "typed": .string(hexadecimal(code.typed)),
          "until": .number("\(code.until)"), "replaces": code.replaces.map { .string($0) },
        ]
      },
    ]
  }

  private func decode(_ root: JSON) throws(PhonesError) -> PairedPhones {
    guard let list = root["phones"]?.array else { throw malformed("phones") }
    var result = PairedPhones()
    for (index, entry) in list.enumerated() {
      func text(_ key: String) throws(PhonesError) -> String {
        guard let text = entry[key]?.string else { throw malformed("phones[\(index)].\(key)") }
        return text
      }
      guard let digest = Self.digest(try text("token")) else {
        throw malformed("phones[\(index)].token")
      }
      var phone = Phone(name: try text("name"), digest: digest, paired: try text("paired"))
      if entry["lastUsed"] != nil { phone.lastUsed = try text("lastUsed") }
      result.phones.append(phone)
    }
    guard let code = root["code"] else { return result }
    guard let long = code["long"]?.string.flatMap(Self.digest),
      let typed = code["typed"]?.string.flatMap(Self.digest),
      let until = code["until"]?.number.flatMap({ Int64($0) })
    else { throw malformed("code") }
    result.code = .init(
      long: long, typed: typed, until: until, replaces: code["replaces"]?.string)
    return result
  }

  private func malformed(_ member: String) -> PhonesError {
    .malformed(path: path, member: member)
  }

  /// Reads the 64 digits of a SHA-256.
  private static func digest(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
