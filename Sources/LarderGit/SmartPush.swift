internal import Clibgit2

/// A push by libgit2 over the network.
struct SmartPush {
  /// What libgit2's callbacks need and find out.
  private final class Progress {
    let expecting: ObjectID?
    var hasMoved = false
    var refusal: String?

    init(expecting: ObjectID?) {
      self.expecting = expecting
    }
  }

  private let remote: OpaquePointer
  private let url: String
  private let action: String

  init(remote: OpaquePointer, url: String, action: String) {
    self.remote = remote
    self.url = url
    self.action = action
  }

  /// The server gets told where the branch was, and refuses when it is somewhere else by then.
  func push(
    _ commit: ObjectID, to reference: String, expecting: ObjectID?
  ) throws(GitError) {
    let progress = Progress(expecting: expecting)
    var options = git_push_options()
    try check(
      git_push_options_init(&options, UInt32(GIT_PUSH_OPTIONS_VERSION)), action, path: url)
    options.callbacks.credentials = Credentials.acquire
    options.callbacks.payload = Unmanaged.passUnretained(progress).toOpaque()
    options.callbacks.push_negotiation = { updates, count, payload in
      guard let payload else { return 0 }
      return SmartPush.negotiate(updates, count, payload)
    }
    // libgit2 reports success even when the server refuses the reference, except here.
    options.callbacks.push_update_reference = { _, reason, payload in
      guard let payload, let reason else { return 0 }
      Unmanaged<Progress>.fromOpaque(payload).takeUnretainedValue().refusal = String(
        cString: reason)
      return 0
    }
    let status = upload("\(commit.hex):\(reference)", &options)
    try withExtendedLifetime(progress) { () throws(GitError) in
      if progress.hasMoved {
        throw GitError(
          .notFastForward, action: action, detail: "the remote branch isn't where it was expected",
          path: url)
      }
      try Repository.remoteCheck(status, action, url)
      guard let refusal = progress.refusal else { return }
      throw GitError(
        RemoteFailure.code(ofRefusal: refusal), action: action, detail: refusal, path: url)
    }
  }

  private static func negotiate(
    _ updates: UnsafeMutablePointer<UnsafePointer<git_push_update>?>?, _ count: Int,
    _ payload: UnsafeMutableRawPointer
  ) -> Int32 {
    let progress = Unmanaged<Progress>.fromOpaque(payload).takeUnretainedValue()
    for index in 0..<count {
      guard let update = updates?[index]?.pointee else { continue }
      let current = ObjectID(update.src)
      let isAbsent = current.bytes.allSatisfy { $0 == 0 }
      if (isAbsent ? nil : current) != progress.expecting { progress.hasMoved = true }
    }
    return progress.hasMoved ? GIT_ENONFASTFORWARD.rawValue : 0
  }

  private func upload(_ refspec: String, _ options: inout git_push_options) -> Int32 {
    refspec.withCString { text in
      var words: [UnsafeMutablePointer<CChar>?] = [UnsafeMutablePointer(mutating: text)]
      return words.withUnsafeMutableBufferPointer { list in
        var refspecs = git_strarray(strings: list.baseAddress, count: 1)
        return git_remote_push(remote, &refspecs, &options)
      }
    }
  }
}
