public import LarderModel

/// A code that admits a user to a household.
public struct Invitation: Sendable, Hashable {
  public let code: Secret
  public let expires: Instant

  /// The code as text, for passing on.
  public var text: String { code.text }
}

extension RestClient {
  /// Returns the households of the user, ordered by id, except those whose row is not a valid file.
  ///
  /// If only such rows exist, it is `malformedAnswer`.
  public func households() async throws(CloudError) -> [Entity] {
    var households: [Entity] = []
    var isRefused = false
    for table in CloudTable.all where table.kind == .household {
      var rows: [JSON] = []
      do throws(CloudError) {
        rows = try await select(table.name, [.columns(table.written), .ascending("id")])
      } catch .malformedAnswer(.tooLong) {
        // A row that is too long must not block the others.
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

  /// Creates an invitation to a household of the user, valid once and for 1 to 720 hours.
  ///
  /// If the user is not a member of the household, it is `forbidden`.
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

  /// Adds the user to the household of an invitation code.
  ///
  /// Returns the household's id.
  ///
  /// An invalid or expired code is `rejected` with the code `P0001`.
  public func acceptInvite(_ code: Secret) async throws(CloudError) -> String {
    let answer = try await call("accept_invite", [JSONMember("code", .string(code.text))])
    guard let household = answer["household_id"]?.string else {
      throw .malformedAnswer(.missing("household_id"))
    }
    return household
  }
}
