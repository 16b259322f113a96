import Foundation
import Laws
import TestSupport
import Testing

/// Inputs worth trying each time: seeds that a fuzzer starts from, and what it found.
@Suite struct CorpusTests {
  @Test("what a fuzzer starts from and what it found breaks no law", arguments: Law.allCases)
  func corpus(of law: Law) throws {
    let folder = Checkout.root.appending(path: "Tests/Corpus/\(law.rawValue)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(files.count > 5)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(throws: Never.self, "\(file.lastPathComponent)") { try law.check(bytes) }
    }
  }
}
