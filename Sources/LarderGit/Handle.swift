/// The owner of a libgit2 object; frees it on deinit.
struct Handle<Pointer>: ~Copyable {
  let pointer: Pointer
  private let free: (Pointer?) -> Void

  /// Owns the object that `make` stores; throws if `make` returns less than zero.
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

  /// Owns an existing object.
  init(owning pointer: Pointer, free: @escaping (Pointer?) -> Void) {
    self.pointer = pointer
    self.free = free
  }

  deinit {
    free(pointer)
  }
}
