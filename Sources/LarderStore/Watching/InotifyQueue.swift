internal import LarderText

#if !canImport(Darwin)
  internal import Libc

  /// inotify watches on folder trees.
  ///
  /// See inotify(7): a watch does not include subfolders, so each folder gets its own watch, also
  /// new ones.
  final class InotifyQueue {
    /// The descriptor, readable when something has happened.
    let descriptor: Int32
    private let places: [NoticedPlace]
    private var folders: [Int32: (place: NoticedPlace, path: FilePath)] = [:]
    /// Whether a place has been moved or removed: what comes there then is not watched.
    private(set) var hasLostPlace = false

    /// Includes the beginning of a write, so that a file is left alone while it is written.
    private static let mask = UInt32(
      IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

    /// Throws if the system's limits on watches are reached.
    init(of places: [NoticedPlace]) throws(StoreError) {
      self.places = places
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { throw SystemFile.failure("watch", places[0].folder) }
      try addAll()
    }

    deinit {
      close(descriptor)
    }

    /// Reads all events; returns whether any of them is relevant.
    func take() throws(StoreError) -> Bool {
      var matters = false
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = systemRead(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return matters }
        for event in Self.events(in: bytes[..<count]) where try heed(event) { matters = true }
      }
    }

    private struct Event {
      let watch: Int32
      let mask: UInt32
      let name: String

      func has(_ flag: Int32) -> Bool { mask & UInt32(flag) != 0 }
    }

    private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
      let head = MemoryLayout<inotify_event>.size
      return bytes.withUnsafeBytes { buffer in
        var events: [Event] = []
        var offset = 0
        while offset + head <= buffer.count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[(offset + head)..<(offset + head + Int(event.len))]
          events.append(
            Event(
              watch: event.wd, mask: event.mask,
              name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
          offset += head + Int(event.len)
        }
        return events
      }
    }

    private func heed(_ event: Event) throws(StoreError) -> Bool {
      if event.has(Int32(IN_Q_OVERFLOW)) {
        // New folders may have been missed too.
        try addAll()
        return true
      }
      guard let folder = folders[event.watch] else { return false }
      if folder.path.isEmpty, event.has(Int32(IN_IGNORED) | Int32(IN_MOVE_SELF)) {
        hasLostPlace = true
      }
      if event.has(Int32(IN_IGNORED)) {
        folders[event.watch] = nil
        return false
      }
      if event.name.isEmpty { return event.has(Int32(IN_DELETE_SELF) | Int32(IN_MOVE_SELF)) }
      let path = folder.path.appending(event.name)
      guard event.has(Int32(IN_ISDIR)) else { return folder.place.holdsFile(path) }
      guard folder.place.holdsFolder(path) else { return false }
      if event.has(Int32(IN_CREATE) | Int32(IN_MOVED_TO)) { try add(folder.place, path) }
      return true
    }

    private func addAll() throws(StoreError) {
      for place in places { try add(place, "") }
    }

    private func add(_ place: NoticedPlace, _ path: FilePath) throws(StoreError) {
      try place.walk(path) { path, state throws(StoreError) in
        guard state.kind == .folder else { return }
        let folder = place.absolute(path)
        let watch = inotify_add_watch(descriptor, folder, Self.mask)
        if watch >= 0 {
          folders[watch] = (place, path)
        } else if errno != ENOENT, errno != ENOTDIR, errno != EACCES {
          throw SystemFile.failure("watch", folder)
        }
      }
    }
  }

  private let systemRead = Libc.read
#endif
