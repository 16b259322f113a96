internal import LarderJSON
public import LarderModel

/// A code that lets somebody into a household.
public struct Invitation: Sendable, Hashable {
  public let code: Secret
  public let expires: Instant

  /// The code as it is given to somebody.
  public var text: String { code.text }
}

extension RestClient {
  /// The households that the user belongs to, by id, but for those whose row no file may be; where
  /// that leaves none, it is `malformedAnswer`.
  public func households() async throws(CloudError) -> [Entity] {
    var households: [Entity] = []
    var isRefused = false
    for table in CloudTable.all where table.kind == .household {
      var rows: [JSON] = []
      do throws(CloudError) {
        rows = try await select(table.name, [.columns(table.written), .ascending("id")])
      } catch .malformedAnswer(.tooLong) {
        // One that is too long keeps nobody from the others.
        for id in try await select(table.name, [.columns(["id"]), .ascending("id")]) {
          guard let id = id["id"]?.string else { continue }
          do throws(CloudError) {
            rows += try await select(table.name, [.columns(table.written), .equal("id", id)])
          } catch .malformedAnswer(.tooLong) {
            isRefused = true
          }
        }
      }
      for row in rows {
        do throws(FileMistakes) {
          households.append(try Row.entity(row, table))
        } catch {
          isRefused = true
        }
      }
      if households.isEmpty, isRefused {
        throw .malformedAnswer(.expected("a row of \(table.name)"))
      }
    }
    return households
  }

  /// Makes an invitation into a household of the user, good once and for 1 to 720 hours.
  ///
  /// A household that the user does not belong to is `forbidden`.
  public func createInvite(household: String, hours: Int) async throws(CloudError) -> Invitation {
    let answer = try await call(
      "create_invite",
      [
        JSONMember("household", .string(household)),
        JSONMember("valid_hours", .number(String(hours))),
      ])
    guard let code = answer["code"]?.string,
      let expires = answer["expires_at"]?.string.flatMap({ Instant($0) })
    else { throw .malformedAnswer(.missing("code")) }
    return Invitation(code: Secret(code), expires: expires)
  }

  /// Takes the user into the household that a code invites into, and gives its id.
  ///
  /// A code that is not good, or not any more, is `rejected` with the code `P0001`.
  public func acceptInvite(_ code: Secret) async throws(CloudError) -> String {
    let answer = try await call("accept_invite", [JSONMember("code", .string(code.text))])
    guard let household = answer["household_id"]?.string else {
      throw .malformedAnswer(.missing("household_id"))
    }
    return household
  }
}
