internal import LarderGit
internal import LarderModel
internal import LarderText

extension KnownFiles {
  /// What to write: files, and what stands of earlier ones.
  struct Content {
    /// The earlier files; those at the paths of `changed` don't count.
    var standing: KnownFiles?
    var changed: Set<FilePath> = []
    var files: [(path: FilePath, file: KnownFile)] = []
    /// The status of folders; nil if it is not known.
    var folders: [FilePath: FileState?] = [:]
  }

  /// Writes files and folders, as ``init(_:at:)`` reads them.
  static func pack(_ content: Content, into writer: inout PackedWriter) {
    let standing = content.standing
    let dropped = Set(content.changed.compactMap { standing?.row(at: $0) })
    var groups: [FilePath: [(name: String, file: KnownFile)]] = [:]
    for folder in content.folders.keys { groups[folder] = [] }
    for folder in standing?.folders ?? [] { groups[folder.path] = [] }
    for (path, file) in content.files {
      groups[path.folder, default: []].append((path.name, file))
    }
    var draft = Draft()
    for (folder, files) in groups.sorted(by: { $0.key < $1.key }) {
      let files = files.sorted(byBytesOf: \.name)
      let known = standing?.folder(folder)
      draft.begin(folder, content.folders[folder] ?? known?.state)
      let places = files.map { file in
        known.flatMap { standing?.rowFor(file.name, in: $0) } ?? 0
      }
      merge(known?.rows ?? 0..<0, places) { row in
        if let standing, !dropped.contains(row) { draft.add(row, of: standing) }
      } add: { file in
        draft.add(files[file].name, files[file].file)
      }
    }
    draft.pack(into: &writer)
  }

  private func row(at path: FilePath) -> Int? {
    folder(path.folder).flatMap { row(of: path.name, in: $0) }
  }

  /// The parts of packed files while they are written.
  private struct Draft {
    private var folders: [(path: FilePath, state: FileState?, count: Int)] = []
    private var rows = PackedWriter()
    private var names = PackedWriter()

    mutating func begin(_ folder: FilePath, _ state: FileState?) {
      folders.append((folder, state, 0))
    }

    mutating func add(_ name: String, _ file: KnownFile) {
      rows.number(UInt32(names.bytes.count))
      rows.state(file.state)
      rows.append(file.blob.bytes)
      rows.number(UInt8(file.isExecutable ? 1 : 0))
      end(name.utf8)
    }

    mutating func add(_ row: Int, of files: KnownFiles) {
      rows.number(UInt32(names.bytes.count))
      let start = files.start(ofRow: row)
      rows.append(files.bytes[start + 4..<start + KnownFiles.rowSize])
      files.withName(row) { end($0) }
    }

    private mutating func end(_ name: some Collection<UInt8>) {
      names.append(name)
      names.number(0 as UInt8)
      folders[folders.count - 1].count += 1
    }

    func pack(into writer: inout PackedWriter) {
      writer.number(UInt32(names.bytes.count))
      writer.number(UInt32(folders.count))
      for folder in folders {
        writer.text(folder.path.text)
        writer.state(folder.state)
        writer.number(UInt32(folder.count))
      }
      writer.append(rows.bytes)
      writer.append(names.bytes)
    }
  }
}

extension PackedWriter {
  fileprivate mutating func state(_ state: FileState?) {
    for part in [state?.size, state?.modified, state?.changed] { number(part ?? 0) }
    number(state?.inode ?? 0)
  }
}
