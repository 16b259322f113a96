/// A position in a text, as editors count it.
public struct TextPosition: Sendable, Hashable {
  /// The line, from 1; lines end with LF, alone or after CR.
  public var line: Int
  /// The column, from 1, in Unicode scalars.
  public var column: Int
  /// The offset from the text's start, in bytes.
  public var offset: Int

  /// Creates a position in a text.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}
