import Foundation
import TestSupport
import Testing

/// A suite that exports tables of a household and imports them.
protocol SpreadsheetSuite {}

extension SpreadsheetSuite {
  /// Returns a household with a batch, a list and a receipt.
  func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "stock new Milk 4l --full 6l --category Dairy",
      "stock new Eggs 6", "put milk 2 --expiry 2026-12-01 --location fridge",
      "buy bread", "receipt save --shop Corner --line milk=2@@3.30 --line gum@1.20")
    return nest
  }

  /// Writes a file beside the household and imports it.
  func take(
    _ text: String, in nest: Nest, _ options: String = ""
  ) throws -> CommandRunner.Outcome {
    try nest.larder.folder.write(text, to: "table.csv")
    return try nest("import csv ../table.csv \(options)")
  }
}
