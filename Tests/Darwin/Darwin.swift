// swift-format-ignore-file: AlwaysUseLowerCamelCase
// What Swift declares beside the headers, as far as it has other types on Darwin.
@_exported public import Glibc

// Disfavoured, so that a literal for the mode is not ambiguous.
@_disfavoredOverload
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
@_disfavoredOverload
public func openat(
  _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }

@available(*, unavailable, message: "Please use threads or posix_spawn*()")
public func fork() -> Int32 { 0 }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IRWXU: mode_t { 0o000700 }
public var S_IRUSR: mode_t { 0o000400 }
public var S_IWUSR: mode_t { 0o000200 }
public var S_IXUSR: mode_t { 0o000100 }
