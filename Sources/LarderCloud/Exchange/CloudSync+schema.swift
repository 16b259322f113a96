internal import LarderJSON
internal import LarderStore

extension CloudSync {
  /// The migration that must have run in the project, after all earlier ones.
  package static let neededMigration = "20261126140900"
  private static let schemaFile = "cloud-schema"

  /// Checks, once for a clone and project, that all migrations needed by this version have run.
  ///
  /// Throws ``CloudError/schemaMismatch(code:message:)``.
  ///
  /// The tables alone would accept rows, but without the triggers nothing would join them.
  func checkSchema() async throws {
    let needed = CloudSync.neededMigration
    let note = Array("\(client.session.project.url) \(needed)\n".utf8)
    if try store.deviceFile(CloudSync.schemaFile) == note { return }
    let last = try await client.lastMigration()
    guard last >= needed else {
      let told = last.isEmpty ? "the last has not run" : "\(last) ran last"
      throw CloudError.schemaMismatch(
        code: "larder_schema", message: "\(told), and \(needed) is needed")
    }
    try store.writeDeviceFile(CloudSync.schemaFile, note)
  }
}

extension RestClient {
  /// Returns the last migration that ran in the project; empty if the project does not tell.
  fileprivate func lastMigration() async throws(CloudError) -> String {
    do throws(CloudError) {
      return try await call("larder_schema").string ?? ""
    } catch {
      guard case .schemaMismatch = error else { throw error }
      return ""
    }
  }
}
