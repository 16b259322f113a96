import Foundation
import TestSupport

/// A web server with a certificate of its own making.
final class StrangerServer {
  let port: Int
  private let process = Process()

  init() throws {
    let folder = try Folder()
    let making = Process()
    making.executableURL = URL(filePath: "/usr/bin/env")
    making.arguments = [
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder("key"), "-out",
      folder("certificate"), "-subj", "/CN=localhost",
    ]
    making.standardOutput = FileHandle.nullDevice
    making.standardError = FileHandle.nullDevice
    try making.run()
    making.waitUntilExit()
    let free = try WebServer { _ in .drop }
    port = free.port
    free.shutDown()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_server", "-accept", "\(port)", "-key", folder("key"), "-cert",
      folder("certificate"), "-www",
    ]
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It says that it accepts connections once it does.
    var said = ""
    while !said.contains("ACCEPT"), let bytes = try output.fileHandleForReading.read(upToCount: 1) {
      said += String(decoding: bytes, as: UTF8.self)
    }
  }

  deinit { process.terminate() }
}
