internal import LarderJSON
internal import LarderModel
internal import LarderText

extension Store {
  /// Moves all days and instants of a copy of the sample by the same number of whole days, so that
  /// the newest instant is of the last 24 hours.
  ///
  /// None is ahead of the clock: a change would come before it. A file that is named by a day moves
  /// too. The day that stood on a package becomes the new one; "after opening" stays.
  func moveSampleToToday() throws {
    var files: [(path: FilePath, json: JSON)] = []
    try noticedPlaces[0].walk { path, state throws(StoreError) in
      guard state.kind == .file else { return }
      let bytes = try self.files.read(path)
      if let json = try? JSON(parsing: bytes) { files.append((path, json)) }
    }
    guard let newest = files.compactMap({ MovedDays.newest(in: $0.json) }).max() else { return }
    let gap = context.now().milliseconds - newest.milliseconds
    let days = MovedDays(days: Int((Double(gap) / 86_400_000).rounded(.down)))
    for (path, json) in files {
      let temporary = TemporaryFile.path(for: path)
      try self.files.write(days.moved(json).writeFile(), to: temporary)
      try self.files.remove(path)
      try self.files.rename(temporary, to: path.folder.appending(days.moved(name: path.name)))
    }
  }
}

/// The days by which a copy of the sample is moved.
private struct MovedDays {
  let days: Int

  /// The newest instant in a value; nil if there is none.
  static func newest(in json: JSON) -> Instant? {
    switch json {
    case .string(let text): text.utf8.count == 24 ? Instant(text) : nil
    case .array(let elements): elements.compactMap(newest).max()
    case .object(let members): members.compactMap { newest(in: $0.value) }.max()
    case .null, .bool, .number: nil
    }
  }

  func moved(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(moved(text))
    case .array(let elements): .array(elements.map(moved))
    case .object(let members): .object(members.map { moved($0, in: json) })
    case .null, .bool, .number: json
    }
  }

  private func moved(_ member: JSONMember, in object: JSON) -> JSONMember {
    let saysDay =
      member.key == FieldName.rawText.text
      && member.value.string?.hasSuffix("opening") == false
    let day = saysDay ? object[FieldName.isoDate.text] : nil
    return JSONMember(member.key, moved(day ?? member.value))
  }

  private func moved(_ text: String) -> String {
    if text.utf8.count == 10, let day = Day(text) { return day.adding(days: days).description }
    if text.utf8.count == 24, let instant = Instant(text) {
      return instant.adding(milliseconds: Int64(days) * 86_400_000).description
    }
    return text
  }

  func moved(name: String) -> String { moved(String(name.prefix(10))) + name.dropFirst(10) }
}
