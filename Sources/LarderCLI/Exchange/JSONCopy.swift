import LarderKit

/// `larder export json` and `larder import json`.
enum JSONCopy {
  static let export = Command("export json", options: [ExportedText.file]) { invocation in
    try invocation.withLarder { larder in
      let copy = try HouseholdCopy(of: try larder.read().household)
      try ExportedText(bytes: copy.bytes, told: counted(copy.count, "file"), isJSON: true)
        .write(invocation)
    }
  }

  static let take = Command("import json", arguments: [InputFile.argument]) { invocation in
    let input = try InputFile(
      invocation[InputFile.argument], atMost: HouseholdCopy.mostBytes, invocation)
    try input.importing {
      let copy = try HouseholdCopy(input.bytes)
      let outcome = try invocation.withLarder { try $0.take(copy) }
      invocation.reportImport(outcome, of: counted(copy.count, "file"))
    }
  }
}
