/// The one owner of a libgit2 object: frees it when it goes out of scope.
struct Handle<Pointer>: ~Copyable {
  let pointer: Pointer
  private let free: (Pointer?) -> Void

  /// Owns what `make` puts into the place it is given; throws when `make` returns less than zero.
  init(
    _ action: String, path: String? = nil, free: @escaping (Pointer?) -> Void,
    _ make: (UnsafeMutablePointer<Pointer?>) -> Int32
  ) throws(GitError) {
    Library.start()
    var made: Pointer?
    try check(make(&made), action, path: path)
    guard let made else {
      throw GitError(.notFound, action: action, detail: "libgit2 returned nothing", path: path)
    }
    pointer = made
    self.free = free
  }

  /// Owns an object that is at hand already.
  init(owning pointer: Pointer, free: @escaping (Pointer?) -> Void) {
    self.pointer = pointer
    self.free = free
  }

  deinit {
    free(pointer)
  }
}
