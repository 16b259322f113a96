import TestSupport

/// An action of a person on a household, in one step of a simulation.
enum Action: String, CaseIterable {
  // With the program.
  case newItem, newLocation, newProduct, consume, add, count, spoil, request
  case addBatch, takeFromLot, countLot, moveBatch, openBatch, dateBatch, discardBatch, mergeItems
  case writeField, unsetField, unknownKey, flipTombstone, shopAdd, shopMark, receiptSave
  case receiptEdit, receiptVoid, undoEntry
  case undo, redo, sync, adopt, format, read
  // With an editor or a file manager.
  case handField, handNumber, handEntry, handBookkeeping, handMove, handRemove, handCopy, handNew
  case handStale, handBreak, handNotes, handPhoto, handStranger
  // With plain git.
  case commitAll, commitOne, checkoutOld, revert, plainMerge, plainPush
  // To a remote.
  case forcedBack, branchRemoved
  // With the cloud, if there is one.
  case pull, push, plainClient

  /// The weight with which it is chosen.
  var weight: Int {
    switch self {
    case .sync: 60
    case .consume, .handField: 20
    case .newItem, .redo, .add, .writeField, .count, .receiptSave, .commitAll: 12
    case .undo: 24
    case .addBatch, .request, .moveBatch, .openBatch, .shopAdd, .shopMark, .flipTombstone,
      .receiptVoid, .receiptEdit:
      8
    case .handNumber, .handStale, .handNotes, .handRemove, .handCopy, .handMove: 8
    case .pull, .push, .plainClient: 0
    case .handBreak, .forcedBack, .branchRemoved, .format, .handPhoto, .mergeItems, .handStranger: 3
    default: 5
    }
  }

  /// The weight in a simulation with a cloud.
  private var weightBesideCloud: Int {
    switch self {
    case .pull: 40
    case .push, .plainClient: 30
    default: weight
    }
  }

  static func random(_ random: inout SeededGenerator, hasCloud: Bool) -> Action {
    func weight(_ action: Action) -> Int { hasCloud ? action.weightBesideCloud : action.weight }
    var rest = random.number(0...allCases.reduce(-1) { $0 + weight($1) })
    for action in allCases {
      rest -= weight(action)
      if rest < 0 { return action }
    }
    return .sync
  }

  /// Whether it undoes, writes or removes single lines of ledgers, or omits a part of a change.
  var touchesLedgerLines: Bool {
    switch self {
    case .undoEntry, .handEntry, .handBookkeeping, .handRemove, .handCopy, .handStale, .handBreak,
      .commitOne, .checkoutOld, .revert:
      true
    default: false
    }
  }

  /// Whether it uses the library, so it can be interrupted.
  var isProgram: Bool {
    switch self {
    case .handField, .handNumber, .handEntry, .handBookkeeping, .handMove, .handRemove, .handCopy,
      .handNew, .handStale, .handBreak, .handNotes, .handPhoto, .handStranger, .commitAll,
      .commitOne, .checkoutOld, .revert, .plainMerge, .plainPush, .forcedBack, .branchRemoved,
      .plainClient:
      false
    default: true
    }
  }
}

/// A fault in a step.
enum Fault: String, CaseIterable {
  /// The process is killed before one of its system calls.
  case kill
  /// The process is killed while it writes a file, of which half is written.
  case tear
  /// Somebody saves a file during the step.
  case editMeanwhile
  /// Somebody commits with plain git during the step.
  case commitMeanwhile
  /// Another command runs on the same device during the step.
  case commandMeanwhile
  /// Another device syncs during the step.
  case syncMeanwhile
  /// Another device pushes first, between the fetch and the push.
  case forestalled
  /// The remote is unreachable.
  case noRemote
  /// The remote is unreachable from the push on.
  case noRemoteForPush

  static func random(for action: Action, _ random: inout SeededGenerator) -> Fault? {
    guard action.isProgram else { return nil }
    let isSync = [.sync, .pull, .push].contains(action)
    guard random.happens(isSync ? 35 : 15) else { return nil }
    let all: [Fault] =
      isSync
      ? allCases + [.kill, .kill, .syncMeanwhile]
      : [.kill, .kill, .tear, .editMeanwhile, .commitMeanwhile]
    return random.pick(all)
  }
}
