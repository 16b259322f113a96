import Foundation
import LarderKit
import TestSupport
import Testing

@Suite("An app's household in a project", .serialized)
struct AppCloudTests {
  @Test("a sign-up, an exchange, an invitation, and a second device that joins from the project")
  func project() async throws {
    let supabase = try LocalSupabase.shared.get()
    let flat = try Flat()
    let laptop = try await flat.laptop()
    try await laptop.commit("new item") { change in
      var item = NewItem("Milk")
      item.unit = .liter
      item.inStock = liters(2)
      try change.add(item)
    }
    let cloud = try await laptop.connect(to: supabase.url, key: Secret(supabase.anonKey))
    #expect(try !cloud.isSignedIn)
    try await cloud.signIn(
      as: address(), by: .newAccount(password: Secret("correct horse battery")))
    let sent = try #require(try await laptop.sync().cloud)
    #expect(sent.failure == nil)
    #expect(try await cloud.state().isComplete)
    let code = try await cloud.invite(hours: 1).code

    let joining = try await CloudJoining(from: supabase.url, flat.context("phone")) {
      Secret(supabase.anonKey)
    }
    #expect(try !joining.isSignedIn(as: nil))
    try await joining.signIn(
      as: address(), by: .newAccount(password: Secret("another horse battery")))
    let phone = try await joining.bring(invitation: code) { _ in flat.folder("phone") }.larder
    #expect(try await phone.total("Milk") == liters(2))
    try await phone.commit("use") { change in
      try change.use(liters(1), of: change.survey.find(StockItem.self, "Milk"))
    }
    try await phone.sync().check()
    try await laptop.sync().check()
    #expect(try await laptop.total("Milk") == liters(1))
    #expect(try await cloud.members().count == 2)
    try await laptop.set(.localOnly, true)
    await #expect(throws: CloudUseError.self) { try await laptop.sync() }
    await #expect(throws: CloudUseError.self) { try await laptop.connectedCloud().pull() }
  }

  private func address() -> String { "\(UUID().uuidString.lowercased())@example.org" }
}
