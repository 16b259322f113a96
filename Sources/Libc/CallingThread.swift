internal import Dispatch
internal import Synchronization

/// The thread that waits for asynchronous work, which does the work meanwhile.
///
/// A command needs no other thread, so it begins at once, and stays in the thread's folder; and a thread
/// that waits never waits for one of the few that are shared.
package final class CallingThread: SerialExecutor, TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs `body` on the calling thread until it ends; only what waits for others is done elsewhere.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (CallingThread) async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let thread = CallingThread()
    let ended = Mutex<Result<Value, Failure>?>(nil)
    Task(executorPreference: thread) {
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await body(thread))
      } catch {
        result = .failure(error)
      }
      ended.withLock { $0 = result }
    }
    while true {
      thread.runNext()
      if let result = ended.withLock({ $0 }) { return try result.get() }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.signal()
  }

  private func runNext() {
    count.wait()
    let job = jobs.withLock { $0.removeFirst() }
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }
}
