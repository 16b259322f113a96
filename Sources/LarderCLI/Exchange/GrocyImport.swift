import LarderKit

/// `larder import grocy`.
enum GrocyImport {
  private static let files = Argument(
    "FILE", .oneOrMore, values: .file, help: "files with answers of Grocy; - reads standard input")

  static let command = Command("import grocy", arguments: [files]) { invocation in
    let inputs = try invocation.all(files).map { try InputFile($0, invocation) }
    let answers = try GrocyAnswers(inputs.map { ($0.name, $0.bytes) })
    let (report, outcome) = try invocation.withLarder { larder in
      try larder.commit("import from Grocy") { try $0.take(answers) }
    }
    tell(report, outcome, invocation)
  }

  private static func tell(
    _ report: GrocyReport, _ outcome: Outcome, _ invocation: Invocation
  ) {
    let numbers = [
      ("items", report.items), ("locations", report.locations), ("stock", report.stock),
      ("listed", report.listed),
    ]
    let told = [
      counted(report.items, "new item"), counted(report.locations, "new location"),
      counted(report.stock, "stock entry", "stock entries"),
      "\(report.listed) on the shopping list",
    ]
    invocation.reportImport(outcome, of: told.joined(separator: ", "), numbers)
    guard invocation.output.mode == .human else { return }
    if !report.known.isEmpty {
      invocation.output.note(
        "here already, with their own stock: \(inShort(report.known)); 'larder count' says what there is"
      )
    }
    tellLeftOut(report, invocation.output)
    if !report.unknownUnits.isEmpty {
      invocation.output.note(
        "counted in pieces, as their unit is not known here: \(inShort(report.unknownUnits)); "
          + "/api/objects/quantity_units has Grocy's units, 'larder stock edit ITEM --unit U' sets one"
      )
    }
  }

  private static func tellLeftOut(_ report: GrocyReport, _ output: Output) {
    if !report.others.isEmpty {
      output.note(
        "left out, as nothing here is like them: \(report.others.joined(separator: ", "))")
    }
    if !report.empty.isEmpty {
      let told = report.empty.map { "\($0.sort.rawValue) \($0.id), whose \($0.key) is empty" }
      output.note("left out: \(told.joined(separator: ", "))")
    }
    if !report.oddBarcodes.isEmpty {
      output.note(
        "left out, as these are no barcodes of products: \(report.oddBarcodes.joined(separator: ", "))"
      )
    }
    for pack in report.unknownPacks {
      output.note(
        "\(pack.barcode) stands for \(pack.unit) of \(pack.product), and no answer says how much that "
          + "is: 'larder product edit \(shellWord(pack.barcode)) --pack-size N' does, as "
          + "/api/objects/quantity_unit_conversions would have")
    }
  }
}
