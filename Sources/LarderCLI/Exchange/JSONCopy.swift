import LarderKit
import LarderModel

/// `larder export json` and `larder import json`.
enum JSONCopy {
  static let export = Command(
    "json", summary: "Write everything as one JSON text",
    discussion: """
      The text has every file of the household with its path, stamps and ledgers, so nothing is lost; \
      its history is git's. 'larder import json' makes the same household of it, or joins it with \
      another one. Other files of the folder, such as pictures, are not in it.

      If a file is broken or refused, nothing is written: the copy would look whole.
      """,
    examples: [
      Example("larder export json"), Example("larder export json -o backup.json"),
    ],
    options: [ExportedText.file]
  ) { invocation in
    try invocation.withLarder { larder in
      let copy = try HouseholdCopy(of: try larder.read().household)
      try ExportedText(bytes: copy.bytes, told: counted(copy.count, "file"), isJSON: true)
        .write(invocation)
    }
  }

  static let take = Command(
    "json", summary: "Take over everything of a JSON text",
    discussion: """
      A household that holds nothing yet, as after 'larder init', becomes the one in the text, byte for \
      byte. Another one joins with it as two devices do: things with one id become one thing, the later \
      write of a field stands, and ledgers add up; git keeps what was there before. If the text is of \
      another household, this one keeps its name and settings.

      The same text again changes nothing.
      """,
    examples: [
      Example("larder import json backup.json"),
      Example("larder import json - --dry-run", "what standard input would change"),
    ],
    arguments: [InputFile.argument]
  ) { invocation in
    let input = try InputFile(
      invocation[InputFile.argument], atMost: HouseholdCopy.mostBytes, invocation)
    try input.importing {
      let copy = try HouseholdCopy(input.bytes)
      let outcome = try invocation.withLarder { try $0.take(copy) }
      invocation.reportImport(outcome, of: counted(copy.count, "file"))
    }
  }
}
