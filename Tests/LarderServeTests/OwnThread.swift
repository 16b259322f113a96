import Dispatch

/// The thread of tests that wait for sockets and processes.
///
/// Tasks share as many threads as there are processors. Tests that waited on these would keep the server
/// under test from answering.
@globalActor actor OwnThread {
  static let shared = OwnThread()
  private let executor = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "tests that wait")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
