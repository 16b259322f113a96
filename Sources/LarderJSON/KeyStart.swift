/// The finding of the parser at the place of an object's next key.
enum KeyStart {
  /// A key.
  case key
  /// Not a valid key, but a colon and a value may follow.
  case keyless
  /// A value instead of a key.
  case value
  /// Nothing that could be a member; the separator comes next.
  case nothing
  /// The end of the object, or something that is treated as its end.
  case end
}
