import Synchronization
import Testing

@testable import LarderCLI
import Libc

@Suite("Writing")
struct FrameworkWritingTests {
  @Test("a reader that closes the pipe early is no failure")
  func closedPipe() {
    let closed = ByteSink(attempt: { _ in -Int(EPIPE) })
    #expect(
      Sample.run("stock consume milk", output: closed) == Outcome(code: 0, output: "", errors: ""))
  }

  @Test("an output that can't be written is a failure that says why")
  func fullDevice() {
    let full = ByteSink(attempt: { _ in -Int(ENOSPC) })
    let reason = String(cString: strerror(ENOSPC))
    #expect(
      Sample.run("stock consume milk", output: full)
        == Outcome(code: 1, output: "", errors: "error: can't write the output: \(reason)\n"))
  }

  @Test("partial writes, interruptions and full buffers are taken up again")
  func partialWrites() {
    let written = Mutex<[UInt8]>([])
    let attempts = Mutex(0)
    let waits = Mutex(0)
    let sink = ByteSink(
      attempt: { buffer in
        let attempt = attempts.withLock { count in
          count += 1
          return count
        }
        if attempt % 3 == 0 { return -Int(EINTR) }
        if attempt % 5 == 0 { return -Int(EAGAIN) }
        let taken = min(7, buffer.count)
        written.withLock { $0 += buffer.prefix(taken) }
        return taken
      },
      wait: { waits.withLock { $0 += 1 } })
    let bytes = (0..<1000).map { UInt8($0 % 251) }
    sink.write(bytes)
    #expect(written.withLock { $0 } == bytes)
    #expect(waits.withLock { $0 } > 0)
    #expect(sink.failure == nil)
  }

  @Test("nothing is written behind a failure")
  func stopsAtFailure() {
    let attempts = Mutex(0)
    let sink = ByteSink(attempt: { _ in
      attempts.withLock { $0 += 1 }
      return -Int(EIO)
    })
    sink.write([1])
    sink.write([2])
    #expect(attempts.withLock { $0 } == 1)
    #expect(sink.failure == EIO)
  }

  @Test("a real pipe gets every byte, and one without a reader gives its error")
  func realPipe() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let sink = ByteSink(descriptor: ends[1])
    sink.write(Array("milk".utf8))
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = read(ends[0], &buffer, buffer.count)
    #expect(Array(buffer.prefix(max(count, 0))) == Array("milk".utf8))
    close(ends[0])
    sink.write([1])
    #expect(sink.failure == EPIPE)
    close(ends[1])
  }
}
