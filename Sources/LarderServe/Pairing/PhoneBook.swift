public import LarderKit
internal import LarderStore
internal import LarderText
internal import Libc
internal import Synchronization

/// The paired phones of a household on this device, and the code that pairs the next one.
///
/// Other processes may change them at any time: a running server notices it with the next request.
public final class PhoneBook: Sendable {
  private struct Known {
    var state: FileState?
    var phones = PairedPhones()
    var isRead = false
  }

  private let file: PhonesFile
  private let now: @Sendable () -> Instant
  private let known = Mutex(Known())

  /// The file with the phones.
  public var path: String { file.path }

  /// The phones of a household by its id, in the folder that the environment names.
  public init(
    household id: String, environment: [String: String],
    now: @escaping @Sendable () -> Instant = { Instant.current }
  ) throws(PhonesError) {
    file = try PhonesFile(household: id, environment: environment)
    self.now = now
  }

  /// Returns the phones, in the order in which they were paired.
  public func phones() throws(PhonesError) -> [Phone] { try file.read().phones }

  /// Makes a code, in the place of an earlier one.
  public func makeCode() throws(PhonesError) -> PairingCode {
    try file.change { phones in (newCode(in: &phones), true) }
  }

  /// Makes a code with which a phone may take the place and name of another one; returns it with that
  /// one's name, or nil if no phone has the name.
  public func makeCode(replacing name: String) throws(PhonesError)
    -> (code: PairingCode, phone: String)?
  {
    try file.change { phones in
      guard let phone = phones.phones.first(where: { $0.has(name) }) else { return (nil, false) }
      return ((newCode(in: &phones, replacing: phone.name), phone.name), true)
    }
  }

  private func newCode(
    in phones: inout PairedPhones, replacing phone: String? = nil
  ) -> PairingCode {
    let code = PairingCode()
    phones.code = .init(
      long: PairingCode.digest(of: code.long), typed: PairingCode.digest(of: code.typed),
      until: now().milliseconds + PairingCode.lifetime, replaces: phone)
    return code
  }

  /// Pairs a phone, and returns it with its token, which is stored nowhere.
  ///
  /// A name that is taken, or looks like one that is, leaves the code as it is, unless the code was
  /// made for the phone of this name: that one is let in no more.
  public func pair(code: String, name: String) throws(PhonesError)
    -> Result<NewPhone, PairingError>
  {
    guard let name = PhoneName(name) else { return .failure(.badName) }
    let digest = PairingCode.digest(of: code)
    let now = now()
    return try file.change { phones in
      guard let expected = phones.code else { return (.failure(.unknownCode), false) }
      guard expected.until > now.milliseconds else {
        phones.code = nil
        return (.failure(.unknownCode), true)
      }
      let isLong = areEqual(expected.long, digest)
      let isTyped = areEqual(expected.typed, digest)
      guard isLong || isTyped else { return (.failure(.unknownCode), false) }
      let alike = phones.phones.map(\.name).filter(name.looksLike)
      if let other = alike.first(where: { $0 != expected.replaces }) {
        return (.failure(.takenName(by: other)), false)
      }
      phones.code = nil
      phones.phones.removeAll { alike.contains($0.name) }
      return (.success(Self.add(alike.first ?? name.text, to: &phones, at: now)), true)
    }
  }

  private static func add(
    _ name: String, to phones: inout PairedPhones, at now: Instant
  ) -> NewPhone {
    let token = PhoneToken.make()
    phones.phones.append(
      Phone(
        name: name, digest: SHA256.digest(of: Array(token.utf8)), paired: day(now),
        lastUsed: day(now)))
    return NewPhone(name: name, token: token)
  }

  /// Forgets the phone of a name; false if there is none.
  public func forget(_ name: String) throws(PhonesError) -> Bool {
    try file.change { phones in
      let before = phones.phones.count
      phones.phones.removeAll { $0.has(name) }
      return (phones.phones.count < before, phones.phones.count < before)
    }
  }

  /// Returns the name of the phone with the token of this digest; nil if there is none.
  ///
  /// The time that it takes does not tell how much of a digest is right.
  func phone(_ digest: [UInt8]) throws(PhonesError) -> String? {
    let phones = try current()
    var name: String?
    for phone in phones.phones where areEqual(phone.digest, digest) { name = phone.name }
    return name
  }

  /// Returns the digest of the code that pairs the next phone; nothing if there is none.
  func codeDigest() throws(PhonesError) -> [UInt8] { try current().code?.long ?? [] }

  /// Notes that a phone is in use, once a day.
  func noteUse(of name: String) throws(PhonesError) {
    let day = Self.day(now())
    guard let phone = try current().phones.first(where: { $0.name == name }),
      phone.lastUsed != day
    else { return }
    try file.change { phones in
      guard let index = phones.phones.firstIndex(where: { $0.name == name }) else {
        return ((), false)
      }
      phones.phones[index].lastUsed = day
      return ((), true)
    }
  }

  /// Returns what the file has, which is read again only if it has changed.
  private func current() throws(PhonesError) -> PairedPhones {
    let state = file.state
    let kept = known.withLock { $0.isRead && $0.state == state && state != nil ? $0.phones : nil }
    if let kept { return kept }
    let phones = try file.read()
    known.withLock { $0 = Known(state: state, phones: phones, isRead: true) }
    return phones
  }

  private static func day(_ instant: Instant) -> String { String(instant.description.prefix(10)) }
}

extension Phone {
  /// Whether this is its name, in either case and with white space around it.
  fileprivate func has(_ name: String) -> Bool {
    self.name.lowercased() == name.trimmed.lowercased()
  }
}

// MARK: - The running server

/// The mark of a running server, by which no second one starts and by which others find it.
///
/// The system releases the lock with the process.
public struct ServerMark: ~Copyable, Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Sets the mark of this process; nil if another server of this household is running.
  public static func set(_ book: PhoneBook) throws(PhonesError) -> ServerMark? {
    let path = try book.markPath()
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(action: "lock", path: path, code: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return ServerMark(descriptor) }
    let code = errno
    close(descriptor)
    guard code == EWOULDBLOCK else { throw .system(action: "lock", path: path, code: code) }
    return nil
  }

  /// Notes the address under which phones find the server.
  public func note(address: String, _ book: PhoneBook) throws(PhonesError) {
    let bytes = Array(address.utf8)
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
      throw .system(action: "write", path: try book.markPath(), code: errno)
    }
  }

  /// Returns the address of the running server; nil if none is running.
  public static func address(_ book: PhoneBook) throws(PhonesError) -> String? {
    if let mark = try set(book) {
      _ = consume mark
      return nil
    }
    let path = try book.markPath()
    do throws(StoreError) {
      return String(decoding: try SystemFile.read(path), as: UTF8.self)
    } catch {
      throw .system(action: "read", path: path, code: errno)
    }
  }
}

extension PhoneBook {
  fileprivate func markPath() throws(PhonesError) -> String {
    try file.makeFolder()
    return file.folder + "/serve.lock"
  }
}
