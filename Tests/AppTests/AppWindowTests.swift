import Foundation
import LarderKit
import TestSupport
import Testing

@Suite("An app's window on a household", .timeLimit(.minutes(10)))
struct AppWindowTests {
  private func item(_ name: String, _ larder: Larder) async throws {
    try await larder.commit("new item") { _ = try $0.add(NewItem(name)) }
  }

  @Test("has the household now, and after each change by the app, an editor and another program")
  func surveys() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    var surveys = larder.surveys().makeAsyncIterator()
    #expect(await surveys.next()?.items.map(\.name) == [])
    try await item("Milk", larder)
    #expect(await surveys.next()?.items.map(\.name) == ["Milk"])
    try flat.folder.write(#"{ "name": "Rice" }"#, to: "laptop/stock/rice.json")
    #expect(await surveys.next()?.items.map(\.name) == ["Milk", "Rice"])
    let program = try CommandRunner()
    #expect(try program("-C", larder.root, "stock", "new", "Tea").code == 0)
    var names: [String]? = []
    while names?.count ?? 3 < 3 { names = await surveys.next()?.items.map(\.name) }
    #expect(names == ["Milk", "Rice", "Tea"])
  }

  @Test("that is slow gets the newest household alone, and says which file is broken")
  func newest() async throws {
    let larder = try await Larder.inMemory()
    var surveys = larder.surveys().makeAsyncIterator()
    _ = await surveys.next()
    for name in ["Milk", "Rice", "Tea"] { try await item(name, larder) }
    #expect(await surveys.next()?.items.count == 3)
    try Data("{ half".utf8).write(to: URL(filePath: larder.root + "/stock/eggs.json"))
    #expect(await surveys.next()?.household.untaken.keys.map(\.text) == ["stock/eggs.json"])
  }

  @Test("ends with the household's folder")
  func gone() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    let surveys = larder.surveys()
    try FileManager.default.removeItem(atPath: larder.root)
    for await _ in surveys {}
  }

  @Test("on a household in memory can do everything, and leaves nothing behind")
  func inMemory() async throws {
    let flat = try Flat()
    let laptop = try await flat.laptop()
    try await item("Milk", laptop)
    var root = ""
    do {
      let larder = try await Larder.inMemory(laptop.survey().household, flat.context("preview"))
      root = larder.root
      #expect(try await larder.survey().items.map(\.name) == ["Milk"])
      try await item("Rice", larder)
      #expect(try await larder.undo().command.subject == "new item")
      #expect(try await larder.survey().items.map(\.name) == ["Milk"])
      #expect(FileManager.default.fileExists(atPath: root))
    }
    for _ in 0..<200 where FileManager.default.fileExists(atPath: root) {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test("hears the steps of a sync, and shows the household while the remote is slow")
  func sync() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    try await item("Milk", larder)
    try await larder.addRemote(url: try flat.server())
    // The remote takes nothing until somebody says so.
    let hook = flat.folder("server.git/hooks/pre-receive")
    try Data("#!/bin/sh\n: > begun\nwhile [ ! -e go ]; do sleep 0.05; done\n".utf8)
      .write(to: URL(filePath: hook))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let events = larder.events()
    let syncing = Task { try await larder.sync().check() }
    while !FileManager.default.fileExists(atPath: flat.folder("server.git/begun")) {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try await larder.survey().items.map(\.name) == ["Milk"])
    try flat.folder.write("", to: "server.git/go")
    try await syncing.value
    for await event in events {
      if case .sync(.pushing) = event { break }
    }
  }
}
