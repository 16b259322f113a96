internal import LarderJSON
internal import LarderStore

extension CloudSync {
  /// The migration that has to have run in a project, and all before it.
  package static let neededMigration = "20261122120900"
  private static let schemaFile = "cloud-schema"

  /// Makes sure, once for a clone and a project, that all migrations have run which this version
  /// counts on; throws ``CloudError/schemaMismatch(code:message:)``.
  ///
  /// The tables alone take rows, but without the triggers nothing joins them and nobody reads them.
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
  /// The migration that has run last in the project; empty where none says so.
  fileprivate func lastMigration() async throws(CloudError) -> String {
    do throws(CloudError) {
      return try await call("larder_schema").string ?? ""
    } catch {
      guard case .schemaMismatch = error else { throw error }
      return ""
    }
  }
}
