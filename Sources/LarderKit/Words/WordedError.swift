public import LarderCloud
public import LarderGit
public import LarderModel
public import LarderStore

public import protocol Foundation.LocalizedError

/// An error of the libraries.
///
/// Its `localizedDescription` is a sentence without a full stop; ``ErrorWords`` has the mistakes and
/// the hints beside it.
public protocol WordedError: LocalizedError {}

extension WordedError {
  /// The failure and its reason.
  public var errorDescription: String? { ErrorWords(self).message }
}

extension GitError: WordedError {}

extension DayMistake: WordedError {}
extension EntityProblem: WordedError {}
extension FileMistakes: WordedError {}
extension JSONMistake: WordedError {}
extension PathFault: WordedError {}
extension RuleError: WordedError {}

extension RefusedCommit: WordedError {}
extension StoreError: WordedError {}
extension SyncError: WordedError {}
extension UndoError: WordedError {}

extension CloudError: WordedError {}
extension CloudProjectError: WordedError {}
extension CloudSyncError: WordedError {}
extension CredentialsError: WordedError {}
extension TransportError: WordedError {}

extension ActError: WordedError {}
extension CloudJoiningError: WordedError {}
extension CloudUseError: WordedError {}
extension DecodingMistake: WordedError {}
extension ErrorWords: WordedError {}
extension ImportMistake: WordedError {}
extension ImportMistakes: WordedError {}
extension ListMistake: WordedError {}
extension ListMistakes: WordedError {}
extension NamingError: WordedError {}
extension ReadingDoubt: WordedError {}
extension ReceiptBytes.Mistake: WordedError {}
extension ReceiptFileError: WordedError {}
extension ReceiptForm.Mistake: WordedError {}
extension ReceiptForm.Mistakes: WordedError {}
extension ReceiptForm.Reason: WordedError {}
extension SheetMistake: WordedError {}
extension SheetMistake.Reason: WordedError {}
extension SheetMistakes: WordedError {}
extension ThingMistakes: WordedError {}
extension TodoMistake: WordedError {}
extension TypedLine.Mistake: WordedError {}
extension TypedMoney.Mistake: WordedError {}
extension TypedQuantity.Mistake: WordedError {}
extension TypedThing.Mistake: WordedError {}
