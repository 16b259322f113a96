import Foundation
import LarderKit
import TestSupport
import Testing

@Suite("An app's household in a project", .serialized)
struct AppCloudTests {
  @Test("a sign-up, an exchange, an invitation, and a second device that joins from the project")
  func project() throws {
    let supabase = try LocalSupabase.shared.get()
    let flat = try Flat()
    let laptop = try flat.laptop()
    try laptop.commit("new item") { change in
      var item = NewItem("Milk")
      item.unit = .liter
      item.inStock = liters(2)
      try change.add(item)
    }
    let cloud = try laptop.connect(to: supabase.url, key: Secret(supabase.anonKey))
    #expect(try !cloud.isSignedIn)
    try cloud.signIn(as: address(), by: .newAccount(password: Secret("correct horse battery")))
    let sent = try #require(try laptop.sync().cloud)
    #expect(sent.failure == nil)
    #expect(try cloud.state().isComplete)
    let code = try cloud.invite(hours: 1).code

    let joining = try CloudJoining(from: supabase.url, flat.context("phone")) {
      Secret(supabase.anonKey)
    }
    #expect(try !joining.isSignedIn(as: nil))
    try joining.signIn(as: address(), by: .newAccount(password: Secret("another horse battery")))
    let phone = try joining.bring(invitation: code) { _ in flat.folder("phone") }.larder
    #expect(try phone.total("Milk") == liters(2))
    try phone.commit("use") { change in
      try change.use(liters(1), of: change.survey.find(StockItem.self, "Milk"))
    }
    try phone.sync().check()
    try laptop.sync().check()
    #expect(try laptop.total("Milk") == liters(1))
    #expect(try cloud.members().count == 2)
    try laptop.set(.localOnly, true)
    #expect(throws: CloudUseError.self) { try laptop.sync() }
    #expect(throws: CloudUseError.self) { try laptop.connectedCloud().pull() }
  }

  private func address() -> String { "\(UUID().uuidString.lowercased())@example.org" }
}
