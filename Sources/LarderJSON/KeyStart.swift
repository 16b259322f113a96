/// What the parser finds where an object's next key should start.
enum KeyStart {
  /// A key.
  case key
  /// No proper key, but what follows may be a colon and a value.
  case keyless
  /// No key, but a value.
  case value
  /// Nothing that could be a member; the separator comes next.
  case nothing
  /// The end of the object, or something that has to be taken for it.
  case end
}
