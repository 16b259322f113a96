import Foundation
import TestSupport

/// A headless Chromium with one page, spoken to by the DevTools protocol over pipes.
final class Chromium {
  /// The path of the browser; nil if none is installed.
  static let path = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    .lazy.flatMap { name in ["/usr/bin/", "/usr/local/bin/", "/snap/bin/"].map { $0 + name } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private let profile: Folder
  private var unread = Data()
  private var session = ""
  private var number = 0
  /// What the page reported, and nobody has waited for.
  private(set) var events: [[String: Any]] = []

  struct Failure: Error {
    let text: String
  }

  init() throws {
    profile = try Folder()
    process.executableURL = URL(filePath: "/bin/sh")
    // The protocol is at the descriptors 3 and 4. It runs as root in containers, where it has no sandbox.
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null", Self.path ?? "", "--headless",
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--no-first-run", "--user-data-dir=\(profile.path)", "--remote-debugging-pipe",
    ]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": profile.path, "LC_ALL": "C.UTF-8"]
    process.standardInput = requests
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    try process.run()
    // A browser that hangs is ended, and the test fails.
    DispatchQueue.global().asyncAfter(deadline: .now() + CommandRunner.patience) {
      [weak process] in process?.terminate()
    }
    let page = try call("Target.createTarget", ["url": "about:blank"])
    let target = try call(
      "Target.attachToTarget", ["targetId": page["targetId"] ?? "", "flatten": true])
    session = target["sessionId"] as? String ?? ""
    for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Calls a method, and returns its result.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if !session.isEmpty { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message)
    try requests.fileHandleForWriting.write(contentsOf: bytes + [0])
    while true {
      let answer = try receive()
      guard answer["id"] as? Int == number else {
        events.append(answer)
        continue
      }
      if let error = answer["error"] { throw Failure(text: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// Opens an address, and waits until it is loaded.
  func open(_ address: URL, width: Int, isDark: Bool) throws {
    try call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500])
    events = []
    try call("Page.navigate", ["url": address.absoluteString])
    while !events.contains(where: { $0["method"] as? String == "Page.loadEventFired" }) {
      events.append(try receive())
    }
  }

  /// Returns the value of an expression in the page.
  func value(of expression: String) throws -> Any? {
    let result = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true])
    if let thrown = result["exceptionDetails"] { throw Failure(text: "\(thrown)") }
    return (result["result"] as? [String: Any])?["value"]
  }

  /// The events of a method since the page was opened.
  func events(_ method: String) -> [[String: Any]] {
    events.filter { $0["method"] as? String == method }
      .compactMap { $0["params"] as? [String: Any] }
  }

  /// Stores a picture of the whole page, if somebody wants to look at it.
  func takeScreenshot(_ name: String) throws {
    let wanted = ProcessInfo.processInfo.environment["LARDER_SCREENSHOTS"]
    guard let folder = wanted, !folder.isEmpty else { return }
    let picture = try call(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
    let bytes = (picture["data"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
    try bytes.write(to: URL(filePath: folder).appending(path: "\(name).png"))
  }

  private func receive() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = unread[unread.startIndex..<end]
        unread = Data(unread[unread.index(after: end)...])
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(text: "the browser has ended") }
      unread += more
    }
  }
}
