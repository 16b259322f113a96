extension JSON {
  /// The bytes of the value in the canonical layout, members in the order they have, without a
  /// newline at the end.
  ///
  /// Objects have one member to a line, two spaces in; an array has one element to a line, compact
  /// inside; empty ones are `{}` and `[]`. `depth` is the depth the value stands at: 0 for a file's
  /// root, 1 for a member of the root.
  public func written(depth: Int = 0) -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: depth)
    return writer.bytes
  }

  /// The bytes of the value on one line, as inside an array: `{ "a": 1 }`, `[1, 2]`.
  public func compact() -> [UInt8] {
    var writer = Writer()
    writer.writeCompact(self)
    return writer.bytes
  }

  /// The bytes of a file that holds the value: `written()` and a newline.
  public func writeFile() -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: 0)
    writer.bytes.append(Byte.lineFeed)
    return writer.bytes
  }
}
