import Foundation
import LarderKit
import TestSupport

/// Two devices of one household, as an app has them.
struct Flat {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// The surroundings of a device, with a home folder of its own.
  func context(_ device: String) -> LarderContext {
    var context = LarderContext(environment: ["HOME": folder(device + "-user")])
    context.device = device
    return context
  }

  /// A new household on the laptop.
  func laptop() async throws -> Larder {
    try await Larder.create(
      at: folder("laptop"), name: "Our flat", timeZone: "Europe/London", currency: "GBP",
      context("laptop"))
  }

  /// A bare git repository that both devices reach.
  func server() throws -> String {
    let path = folder("server.git")
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "init", "--bare", "--quiet", path]
    try git.run()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return path
  }
}

extension Larder {
  /// The total of an item, by its name.
  func total(_ name: String) throws -> Quantity {
    let survey = try survey()
    return survey.total(of: try survey.find(StockItem.self, name))
  }
}

func liters(_ number: Int) -> Quantity { Quantity(Number(number), .liter) }
