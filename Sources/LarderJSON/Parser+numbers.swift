extension Parser {
  /// Reads the number that starts at the offset with a digit or a minus.
  mutating func number() -> JSON {
    guard let (end, hasExponent) = NumberLexeme.end(in: bytes, from: offset),
      end == bytes.count || !Byte.isWord(bytes[end])
    else { return badNumber() }
    let range = offset..<end
    offset = end
    if hasExponent,
      NumberLexeme(UnsafeBufferPointer(rebasing: bytes[range]))?.isExponentTooLarge ?? true
    {
      report(.exponentTooLarge(excerpt(range)), at: range.lowerBound)
    }
    return .number(text(range))
  }

  /// Reports the word at the offset as a bad number, and skips it.
  @inline(never)
  mutating func badNumber() -> JSON {
    let range = offset..<wordEnd(from: offset)
    offset = range.upperBound
    report(.badNumber(excerpt(range)), at: range.lowerBound, to: range.upperBound)
    return .null
  }
}
