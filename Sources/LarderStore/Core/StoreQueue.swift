internal import Dispatch

/// A serial queue for an actor's methods.
///
/// They wait for files and locks, which the shared threads of actors must not do.
package final class StoreQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "larder.store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Runs something on the queue, for a caller in its own thread.
  package func run<Value>(_ body: () -> Value) -> Value { queue.sync(execute: body) }
}
