internal import Libc

/// The reason why a server can't start.
public enum ServeError: Error, Sendable, Hashable {
  /// The system has no libmicrohttpd of the version that is needed.
  case noLibrary
  /// The libmicrohttpd of this system was built without TLS.
  case noTLS
  /// The library takes the certificate with its key for none.
  case badCertificate(certificate: String, key: String)
  /// Another program listens at the port.
  case portInUse(port: Int)
  /// The system keeps the port for its administrator.
  case portNotAllowed(port: Int)
  /// Another server of this household is running.
  case running
  /// No server of this household is running.
  case notRunning
  /// The library did not start, and says no more.
  case notStarted
  /// A system call failed, with its error number.
  case system(action: String, path: String, code: Int32)
}

/// An address of this machine.
public struct MachineAddress: Sendable, Hashable {
  /// The digits, such as `192.168.1.20` or `fd00::7`.
  public let text: String

  package init(_ text: String) { self.text = text }

  var isIPv6: Bool { text.contains(":") }

  /// The address as it stands in a URL, with a port.
  func authority(port: Int) -> String { (isIPv6 ? "[\(text)]" : text) + ":\(port)" }

  static let local = [MachineAddress("127.0.0.1"), MachineAddress("::1")]

  /// Returns the addresses under which a network knows this machine, IPv4 first.
  ///
  /// Those that begin with `fe80` mean something only together with the name of an interface.
  @Sendable package static func onNetworks() throws(ServeError) -> [MachineAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else {
      throw .system(action: "list the addresses of", path: "this machine", code: errno)
    }
    defer { freeifaddrs(first) }
    var found: [MachineAddress] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      let flags = entry.pointee.ifa_flags
      // 1 is IFF_UP and 8 IFF_LOOPBACK, which Linux declares as an enumeration.
      guard flags & 1 != 0, flags & 8 == 0, let address = entry.pointee.ifa_addr,
        let text = digits(of: address),
        !text.hasPrefix("fe80"), !found.contains(MachineAddress(text))
      else { continue }
      found.append(MachineAddress(text))
    }
    return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
  }

  private static func digits(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var host = [CChar](repeating: 0, count: 64)
    guard
      getnameinfo(
        address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A socket that listens at one address.
struct Listener {
  let address: MachineAddress
  let descriptor: Int32
  let port: Int

  /// Listens at an address; port 0 is one that is free.
  ///
  /// Nil if the machine has no such address.
  init?(_ address: MachineAddress, port: Int) throws(ServeError) {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    let descriptor = socket(family, streamSocket, 0)
    guard descriptor >= 0 else {
      if errno == EAFNOSUPPORT { return nil }
      throw .system(action: "listen at", path: address.text, code: errno)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if address.isIPv6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
    }
    let isBound =
      address.isIPv6
      ? Self.bind6(descriptor, address, port) : Self.bind4(descriptor, address, port)
    guard isBound, listen(descriptor, 32) == 0 else {
      let code = errno
      close(descriptor)
      switch code {
      case EADDRNOTAVAIL: return nil
      case EADDRINUSE: throw .portInUse(port: port)
      case EACCES: throw .portNotAllowed(port: port)
      default: throw .system(action: "listen at", path: address.text, code: code)
      }
    }
    self.address = address
    self.descriptor = descriptor
    self.port = port == 0 ? Self.port(of: descriptor, address) : port
  }

  /// Closes a socket that no server has taken.
  func end() { close(descriptor) }

  private static func bind4(_ descriptor: Int32, _ address: MachineAddress, _ port: Int) -> Bool {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address.text, &place.sin_addr)
    return bound(descriptor, &place)
  }

  private static func bind6(_ descriptor: Int32, _ address: MachineAddress, _ port: Int) -> Bool {
    var place = sockaddr_in6()
    place.sin6_family = sa_family_t(AF_INET6)
    place.sin6_port = in_port_t(port).bigEndian
    inet_pton(AF_INET6, address.text, &place.sin6_addr)
    return bound(descriptor, &place)
  }

  private static func bound<Place>(_ descriptor: Int32, _ place: inout Place) -> Bool {
    withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Place>.size)) == 0
      }
    }
  }

  /// Both kinds of addresses have their port at the same place.
  private static func port(of descriptor: Int32, _ address: MachineAddress) -> Int {
    var place = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    return Int(in_port_t(bigEndian: place.sin6_port))
  }
}

// Linux declares it as an enumeration.
#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif
