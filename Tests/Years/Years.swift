import LarderGit
import LarderModel
import LarderStore
import LarderText

/// Ten years of a household in a few minutes: each command's files and commit are made by the library
/// as the command would make them, but the work tree follows only at the end.
final class Years {
  private static let start = Instant(milliseconds: 1_451_642_400_000)
  /// Eleven commands a day.
  private static let step: Int64 = 86_400_000 / 11

  private let store: Store
  private let repository: Repository
  private var life: Life
  private var head: ObjectID
  private var tree: ObjectID
  private var household: Household
  /// How it was before the last command.
  private var before: (head: ObjectID, tree: ObjectID, household: Household)?

  init(in folder: String) throws {
    store = try Store.create(
      at: folder, name: "Home", timeZone: "Europe/London", currency: "GBP", program: "larder",
      context: StoreContext(now: { Self.start }, device: "laptop"))
    guard let repository = store.repository, let head = try repository.head().commit else {
      throw StoreError.notARepository(root: folder)
    }
    self.repository = repository
    self.head = head
    tree = try repository.commit(head).tree
    household = try store.read().household
    life = Life(userID: try store.userID ?? "")
  }

  /// Lives through so many commits; packing now and then, less often than the program would, is quicker.
  func live(through commits: Int) throws {
    for number in 1...commits {
      try record(number, at: Self.start.adding(milliseconds: Int64(number) * Self.step))
      if number % 500 == 0, try store.isUntidy(past: 256 << 20) { _ = try store.tidy() }
    }
    _ = try store.tidy()
  }

  /// Every twentieth command is made on the other device, which has not heard of the one before.
  private func record(_ number: Int, at moment: Instant) throws {
    guard number % 20 == 0, let before else {
      before = (head, tree, household)
      if let made = try commit(number, at: moment) { try move(to: made) }
      return
    }
    let mine = (head: head, tree: tree, household: household)
    (head, tree, household) = before
    guard let theirs = try commit(number, at: moment) else {
      (head, tree, household) = mine
      return
    }
    var joined = mine.household
    for key in theirs.changed {
      guard let entity = theirs.household[key], let path = theirs.household.path(of: key) else {
        continue
      }
      joined.put(joined[key]?.joined(with: entity) ?? entity, at: joined.path(of: key) ?? path)
    }
    (head, tree, household) = mine
    let made = try write(
      theirs.changed, of: joined, [head, theirs.commit], at: moment,
      Trailers.message(
        "sync: join 2 devices", [("Larder-Command", "sync"), ("Larder-Device", "phone")]))
    try move(to: made)
  }

  private struct Made {
    let commit: ObjectID
    let tree: ObjectID
    let household: Household
    let changed: [EntityKey]
    let author: Signature
  }

  private func commit(_ number: Int, at moment: Instant) throws -> Made? {
    var edit = Edit(household)
    let (command, subject) = try life.live(number, at: moment, &edit)
    edit.ensureShoppingForLowStock()
    guard !edit.changed.isEmpty else { return nil }
    let message = Trailers.message(
      subject, [("Larder-Command", command), ("Larder-Device", life.device)])
    return try write(edit.changed, of: edit.after, [head], at: moment, message)
  }

  private func write(
    _ keys: [EntityKey], of household: Household, _ parents: [ObjectID], at moment: Instant,
    _ message: String
  ) throws -> Made {
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for key in keys {
      guard let path = household.path(of: key), let entity = household[key] else { continue }
      changes[path] = .some((try repository.writeBlob(entity.fileBytes), .file))
    }
    let tree = try repository.writeTree(from: tree, changing: changes)
    let author = Signature(
      name: life.device, email: "\(life.device)@larder.invalid",
      seconds: moment.milliseconds / 1000, offsetMinutes: 0)
    let commit = try repository.writeCommit(
      tree: tree, parents: parents, author: author, committer: author, message: message)
    return Made(commit: commit, tree: tree, household: household, changed: keys, author: author)
  }

  private func move(to made: Made) throws {
    try repository.updateReference(
      "refs/heads/main", to: made.commit, expecting: head, reason: "larder", by: made.author)
    (head, tree, household) = (made.commit, made.tree, made.household)
  }
}
