extension JSON {
  /// Returns the bytes of the value in the canonical layout.
  ///
  /// Members keep their order. There is no newline at the end.
  ///
  /// An object has one member on each line, indented by two spaces. An array has one element on
  /// each line, and the element is compact. Empty ones are `{}` and `[]`. `depth` is the depth of
  /// the value: 0 for a file's root, 1 for a member of the root.
  public func written(depth: Int = 0) -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: depth)
    return writer.bytes
  }

  /// Returns the bytes of the value on one line, as inside an array: `{ "a": 1 }`, `[1, 2]`.
  public func compact() -> [UInt8] {
    var writer = Writer()
    writer.writeCompact(self)
    return writer.bytes
  }

  /// Returns the bytes of a file with the value: `written()` and a newline.
  public func writeFile() -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: 0)
    writer.bytes.append(Byte.lineFeed)
    return writer.bytes
  }
}
