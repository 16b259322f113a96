import LarderGit
import LarderModel
import LarderStore
import Seeded

/// Makes a household with many items.
///
/// The files and commits are as the commands would make them, but many are written at once, and the
/// work tree follows at the end.
struct HouseholdGenerator {
  private static let start = Instant(milliseconds: 1_704_096_000_000)
  /// Above this size there are fewer commits: each one writes a tree of megabytes.
  private static let large = 20_000

  let folder: String
  let seed: UInt64

  func generate(items: Int, longest: Int) throws {
    let store = try create()
    guard let repository = store.repository else {
      throw StoreError.notARepository(root: folder)
    }
    let base = try store.read().household
    var life = Life(seed: seed, start: Self.start, userID: try store.userID ?? "")
    let importer = try FastImport(folder: folder)
    // After all that the files say.
    var moment = Self.start.adding(milliseconds: 720 * 86_400_000)

    var edit = Edit(base)
    life.addLocations(for: items, to: &edit)
    try importer.commit(
      edit.files, command: "location new", "add \(edit.changed.count) locations", at: moment)
    let places = edit.after

    // Most items come in a few commits, as if people had written their files and adopted them. Then
    // come single commands.
    let commits = items > Self.large ? 5 : 20
    let size = (items + commits - 1) / commits
    var last = (household: places, ids: [String]())
    for first in stride(from: 0, to: items, by: size) {
      let end = min(first + size, items)
      moment = moment.adding(milliseconds: 86_400_000)
      var files: [FastImport.File] = []
      for begin in stride(from: first, to: end, by: Life.atOnce) {
        edit = Edit(places)
        try life.addItems(begin..<min(begin + Life.atOnce, end), to: &edit)
        if begin == 0, longest > 0 { lengthen(&edit, &life, to: longest) }
        files += edit.files
        last = (edit.after, edit.changed.filter { $0.kind == .stockItem }.map(\.id))
      }
      try importer.commit(files, command: "adopt", "adopt \(end - first) new items", at: moment)
    }
    for _ in 0..<commits {
      moment = moment.adding(milliseconds: 7_200_000)
      var edit = Edit(last.household)
      guard let title = try life.useOne(of: last.ids, at: moment, &edit) else { continue }
      try importer.commit(edit.files, command: "stock use", "use 1 of \(title)", at: moment)
      last.household = edit.after
    }
    try importer.finish(in: repository)
  }

  private func create() throws -> Store {
    var generator = SeededGenerator(seed: seed)
    let newID = generator.ids(64, at: Self.start)
    return try Store.create(
      at: folder, name: "Home", timeZone: "Europe/London", currency: "GBP", program: "larder",
      context: StoreContext(
        now: { Self.start }, newID: { _ in newID() }, device: FastImport.device))
  }

  private func lengthen(_ edit: inout Edit, _ life: inout Life, to entries: Int) {
    let first = edit.changed.first { $0.kind == .stockItem }
    guard let first, var item = edit.after[first] else { return }
    life.lengthenLedger(of: &item, to: entries)
    edit.put(item)
  }
}

extension Edit {
  /// The files of what changed.
  var files: [FastImport.File] {
    changed.compactMap { key in
      guard let path = after.path(of: key), let entity = after[key] else { return nil }
      return FastImport.File(path: path, bytes: entity.fileBytes)
    }
  }
}
