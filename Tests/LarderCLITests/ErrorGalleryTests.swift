import Foundation
import TestSupport
import Testing

/// One failure: how it comes about, and the command that reports it.
struct GalleryEntry: Sendable, CustomTestStringConvertible {
  /// The golden file's name.
  let name: String
  /// Files that people wrote into the household before the command runs.
  var files: [String: String] = [:]
  var words: [String]
  /// What else happens before.
  var prepare: @Sendable (HouseholdFixture) throws -> Void = { _ in }
  /// The folder that the command runs in, below the runner's.
  var place = "home/nest"
  var variables: [String: String] = [:]

  init(
    _ name: String, _ words: String..., files: [String: String] = [:], place: String = "home/nest",
    variables: [String: String] = [:],
    prepare: @escaping @Sendable (HouseholdFixture) throws -> Void = { _ in }
  ) {
    self.name = name
    self.words = words
    self.files = files
    self.place = place
    self.variables = variables
    self.prepare = prepare
  }

  var testDescription: String { name }
}

/// Every failure as people see it; `UPDATE_GOLDEN=1` writes the texts anew.
@Suite("The error gallery")
struct ErrorGalleryTests {
  static let entries =
    Gallery.usage + Gallery.syntax + Gallery.content + Gallery.findings
    + Gallery.household + Gallery.remotes + Gallery.commands + Gallery.daily
    + Gallery.catalogue + Gallery.history

  @Test("a failure reads as it was reviewed", arguments: entries)
  func entry(_ entry: GalleryEntry) throws {
    let fixture = try HouseholdFixture(entry.files)
    try entry.prepare(fixture)
    var larder = fixture.larder
    larder.variables = entry.variables
    let outcome = try larder.run(entry.words, in: entry.place)
    #expect(outcome.code != 0)
    let command = entry.words.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }
    let text = larder.normalized(
      """
      $ larder \(command.joined(separator: " "))
      \(outcome.output)\(outcome.errors)(exit code \(outcome.code))

      """
    )
    // How long a connection took is the machine's.
    .replacing(#/after \d+ ms/#, with: "after 0 ms")
    #expect(try Golden.kept("errors/\(entry.name).txt", now: text) == text)
  }

  @Test("no two entries have one name, and no golden text lacks its entry")
  func names() throws {
    let names = Self.entries.map(\.name)
    #expect(Set(names).count == names.count)
    // What is being written just now need not be complete yet.
    guard !Golden.isUpdating else { return }
    let folder = Golden.folder.appending(path: "errors").path()
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".txt") }
    #expect(Set(kept) == Set(names.map { $0 + ".txt" }))
  }
}

/// The entries, in groups; each group is in a file of its own.
enum Gallery {}
