internal import Dispatch

/// Runs an actor's methods on a queue of their own: they wait for files and locks, which the threads
/// that all actors share must not.
package final class StoreQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "larder.store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Runs something in turn, for a caller in a thread of its own.
  package func run<Value>(_ body: () -> Value) -> Value { queue.sync(execute: body) }
}
