import Laws
import Libc

/// LLVM's fuzzer, which is linked with this program.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

// larder-fuzz LAW [libFuzzer's own options and folders]
guard CommandLine.arguments.count > 1, let chosen = Law(rawValue: CommandLine.arguments[1]) else {
  print("usage: larder-fuzz \(Law.allCases.map(\.rawValue).joined(separator: "|")) …")
  exit(2)
}
let law = chosen

/// Tries one input; a broken law ends the program, as a trap would, and libFuzzer keeps the input.
func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  do {
    try law.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    print("broken law: \(error)")
    fflush(nil)
    abort()
  }
  return 0
}

// The fuzzer reads its words from behind the law.
var count = CommandLine.argc - 1
var words = CommandLine.unsafeArgv.advanced(by: 1)
exit(runFuzzer(&count, &words) { tryInput($0, $1) })
