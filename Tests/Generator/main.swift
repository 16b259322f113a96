import Foundation

// larder-generator FOLDER ITEMS [SEED] [ENTRIES]: makes a household with so many items, committed; the
// ledger of its first item has so many entries. The same arguments give the same commits.
let words = Array(CommandLine.arguments.dropFirst())
guard (2...4).contains(words.count), let items = Int(words[1]), items > 0,
  let seed = words.count > 2 ? UInt64(words[2]) : 1,
  let entries = words.count > 3 ? Int(words[3]) : 0
else {
  FileHandle.standardError.write(
    Data("usage: larder-generator FOLDER ITEMS [SEED] [ENTRIES]\n".utf8))
  exit(2)
}
do {
  try HouseholdGenerator(folder: words[0], seed: seed).generate(items: items, longest: entries)
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
