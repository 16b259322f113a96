/// The states of files at the last poll, for systems without inotify.
struct FileStates {
  private let places: [NoticedPlace]
  private var known: [String: FileState]

  init(of places: [NoticedPlace]) throws(StoreError) {
    self.places = places
    known = try Self.look(at: places)
  }

  /// Polls again; returns whether a file was added, removed or changed.
  mutating func haveChanged() throws(StoreError) -> Bool {
    let now = try Self.look(at: places)
    defer { known = now }
    return now != known
  }

  private static func look(at places: [NoticedPlace]) throws(StoreError) -> [String: FileState] {
    var states: [String: FileState] = [:]
    for place in places {
      try place.walk { path, state throws(StoreError) in
        // Irrelevant files change a folder too; relevant files are polled themselves.
        if state.kind != .folder { states[place.absolute(path)] = state }
      }
    }
    return states
  }
}
