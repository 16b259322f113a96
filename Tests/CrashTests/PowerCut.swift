import Foundation
import TestSupport

/// What a power cut leaves of a folder: of all that was written and not waited for, anything may be
/// lost, each name and each file's bytes by themselves.
struct PowerCut {
  /// What becomes of a file that nothing waited for.
  enum Loss: CaseIterable { case none, asBefore, empty, zeros, half, halfAndZeros }

  /// The folder before, all of which is on the disk.
  let before: String
  /// The folder when the power failed, as programs saw it; it becomes what is left.
  let after: String
  /// What was done in between.
  let steps: [Step]
  /// Whether an object or a log that has its name has its bytes, too: the file system kept the order in
  /// which they were written.
  let keepsOrder: Bool
  /// What is not lost.
  var spared: Set<String> = []

  /// Loses what the generator says; returns what was lost, for people.
  func lose(_ generator: inout SeededGenerator) throws -> [String] {
    let (old, new) = (try Self.files(in: before), try Self.files(in: after))
    let durable = Set(try old.map { try bytes(before, $0) })
    // Some lose little, so that each single loss is tried with all else kept.
    let share = [5, 30, 60, 100].randomElement(using: &generator) ?? 100
    var told: [String] = []
    for path in old.union(new).subtracting(spared).sorted() {
      let earlier = old.contains(path) ? try bytes(before, path) : nil
      let present = new.contains(path) ? try bytes(after, path) : nil
      guard earlier != present, Int.random(in: 0..<100, using: &generator) < share
      else { continue }
      let isOrdered = path.hasPrefix(".git/objects/") || path.hasPrefix(".git/logs/")
      // A file that got another name keeps its bytes.
      let isNameOnly = isOrdered && keepsOrder || present.map { durable.contains($0) } ?? false
      let losses = isNameOnly ? [Loss.none, .asBefore] : Loss.allCases
      let loss = losses.randomElement(using: &generator) ?? .none
      let left = left(of: present, before: earlier, kept(of: present, before: earlier, path), loss)
      guard left != present else { continue }
      told.append("\(path): \(loss)")
      try write(left, to: path)
    }
    return told
  }

  private func left(of bytes: Data?, before: Data?, _ kept: Int, _ loss: Loss) -> Data? {
    guard let bytes else { return before }
    let (start, rest) = (bytes.prefix(kept), bytes.dropFirst(kept))
    let half = rest.prefix(rest.count / 2)
    return switch loss {
    case .none: bytes
    case .asBefore: kept > 0 ? start : before
    case .empty: start
    case .zeros: start + Data(count: rest.count)
    case .half: start + half
    case .halfAndZeros: start + half + Data(count: rest.count - half.count)
    }
  }

  /// Returns the number of a file's bytes that can't be lost.
  ///
  /// They are those that it had before if it only grew, and those that were waited for. Since the last wait,
  /// each writing added a line.
  private func kept(of bytes: Data?, before: Data?, _ path: String) -> Int {
    guard let bytes else { return 0 }
    let grown = before.map { bytes.starts(with: $0) ? $0.count : 0 } ?? 0
    let names = ["/" + path, "/" + path + ".lock"]
    let own = steps.filter { step in names.contains { step.path.hasSuffix($0) } }
    guard let wait = own.lastIndex(where: { ["fsync", "fdatasync"].contains($0.call) }) else {
      return grown
    }
    let since = own[wait...].count { ["write", "pwrite"].contains($0.call) }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(since)
    return max(grown, bytes.count - lines.reduce(0) { $0 + $1.count + 1 })
  }

  private func write(_ bytes: Data?, to path: String) throws {
    let place = "\(after)/\(path)"
    guard let bytes else { return try FileManager.default.removeItem(atPath: place) }
    let folder = (place as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Git's objects may not be written to, only replaced.
    try? FileManager.default.removeItem(atPath: place)
    try bytes.write(to: URL(filePath: place))
    try FileManager.default.setAttributes([.modificationDate: Self.past], ofItemAtPath: place)
  }

  /// Lets locks and folders be from before the power cut.
  func age() throws {
    let manager = FileManager.default
    let files = try Self.files(in: after)
    for path in try manager.subpathsOfDirectory(atPath: after) {
      let old = try? manager.attributesOfItem(atPath: "\(before)/\(path)")[.modificationDate]
      guard let time = files.contains(path) ? Self.past : old as? Date,
        path.hasSuffix(".lock") || !files.contains(path)
      else { continue }
      let attributes: [FileAttributeKey: Any] = [.modificationDate: time]
      try manager.setAttributes(attributes, ofItemAtPath: "\(after)/\(path)")
    }
  }

  /// The time of what is left: none of it was written after the power cut.
  private static let past = Date(timeIntervalSince1970: 1_700_000_000)

  private func bytes(_ folder: String, _ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))
  }

  private static func files(in folder: String) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
        return !isFolder.boolValue
      })
  }
}
