internal import Libc

/// From where a request comes, as far as limits go by it.
struct ClientAddress: Hashable {
  /// The digits of an IPv4 address, or of the network of an IPv6 address, in which one client may have
  /// any number of addresses.
  let text: String

  static let thisMachine = ClientAddress(text: "this machine")

  var isThisMachine: Bool { self == .thisMachine }

  private init(text: String) { self.text = text }

  /// The address of who is connected to a socket.
  init(of socket: Int32) {
    var place = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let bytes = withUnsafeMutablePointer(to: &place) { pointer -> [UInt8] in
      let found = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(socket, $0, &size)
      }
      guard found == 0 else { return [] }
      // An IPv4 address stands behind the port, an IPv6 address behind port and flow.
      let isIPv6 = Int32(pointer.pointee.sin6_family) == AF_INET6
      let all = UnsafeRawBufferPointer(start: pointer, count: MemoryLayout<sockaddr_in6>.size)
      return Array(isIPv6 ? all[8..<24] : all[4..<8])
    }
    self.init(bytes: bytes)
  }

  /// The client of a request that came by a proxy on this machine, which names it last.
  func forwarded(_ header: String?) -> ClientAddress {
    guard isThisMachine, let last = header?.split(separator: ",").last else { return self }
    let text = last.filter { $0 != " " && $0 != "[" && $0 != "]" }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return ClientAddress(bytes: Array(bytes.prefix(4))) }
    if inet_pton(AF_INET6, text, &bytes) == 1 { return ClientAddress(bytes: bytes) }
    return self
  }

  private init(bytes: [UInt8]) {
    switch bytes.count {
    case 0: self = .thisMachine
    case 4 where bytes[0] == 127: self = .thisMachine
    case 4: self.init(text: bytes.map { String($0) }.joined(separator: "."))
    default:
      let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
      self = isLoopback ? .thisMachine : .init(text: hexadecimal(bytes.prefix(8)))
    }
  }
}
