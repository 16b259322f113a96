internal import LarderModel

extension Change {
  /// Imports the rows of a spreadsheet's table.
  ///
  /// A row with an id changes the thing with this id. A row without one changes the thing that it
  /// names, or makes a new one. Different quantities become counts. A thing without a row stays as
  /// it is.
  ///
  /// A row may name an earlier version of the household, which `version` returns; see
  /// ``Larder/survey(ofVersion:)``. Then only what was changed in the table since that version
  /// counts. `progress` is called after each hundred rows with the number of rows, and the part of the
  /// file that was read, in percent.
  ///
  /// With `keepingNew`, what is on a receipt and no item becomes one.
  ///
  /// Throws all mistakes at once; then nothing may be committed.
  public mutating func take(
    _ file: CSVFile, keepingNew: Bool = false,
    at version: @escaping (String) -> Survey? = { _ in nil },
    progress: (_ rows: Int, _ percent: Int) -> Void = { _, _ in }
  ) throws(ImportMistakes) -> ImportReport {
    var importer = CSVImporter(file, self, version)
    importer.keepsNewThings = keepingNew
    try importer.run(progress)
    edit = importer.edit
    return importer.report
  }
}
