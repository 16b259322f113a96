/// How the files of places were when last looked at, for systems that don't tell of changes.
struct FileStates {
  private let places: [NoticedPlace]
  private var known: [String: FileState]

  init(of places: [NoticedPlace]) throws(StoreError) {
    self.places = places
    known = try Self.look(at: places)
  }

  /// Looks again: whether a file came, went or changed.
  mutating func haveChanged() throws(StoreError) -> Bool {
    let now = try Self.look(at: places)
    defer { known = now }
    return now != known
  }

  private static func look(at places: [NoticedPlace]) throws(StoreError) -> [String: FileState] {
    var states: [String: FileState] = [:]
    for place in places {
      try place.walk { path, state throws(StoreError) in
        // A folder also changes by what doesn't matter; what matters in it is looked at itself.
        if state.kind != .folder { states[place.absolute(path)] = state }
      }
    }
    return states
  }
}
