internal import LarderModel

extension Change {
  /// Takes over what the rows of a spreadsheet's table say.
  ///
  /// A row with an id changes what it says differently. A row without one is about the thing that it
  /// names, or makes a new one. Other quantities become counts. A thing without a row stays as it is.
  ///
  /// `version` returns an earlier version of the household, which a row may name; see
  /// ``Larder/survey(ofVersion:)``. Then only what was changed in the table since that version counts.
  ///
  /// Throws all mistakes at once; then nothing may be committed.
  public mutating func take(
    _ file: CSVFile, at version: @escaping (String) -> Survey? = { _ in nil }
  ) throws(ImportMistakes) -> ImportReport {
    var importer = CSVImporter(file, self, version)
    try importer.run()
    edit = importer.edit
    return importer.report
  }
}
