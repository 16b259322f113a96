public import LarderModel
public import LarderStore

/// A road besides git's by which a watched household meets the others, such as a cloud.
public struct OtherRoad: Sendable {
  /// Whether it leads anywhere just now.
  public enum Standing: Sendable {
    case closed
    /// `isAhead` says that there is something to send.
    case open(isAhead: Bool)
  }

  /// What came of going it.
  public struct Outcome: Sendable {
    /// Whether something came, went or was refused.
    public let isNews: Bool
    /// Tells of it, on the watch's own thread.
    public let tell: @Sendable () -> Void

    public init(isNews: Bool, tell: @escaping @Sendable () -> Void) {
      self.isNews = isNews
      self.tell = tell
    }
  }

  let standing: @Sendable () throws -> Standing
  let go: Go

  /// Goes it, in a thread of its own; what is adopted before is told.
  public typealias Go =
    @Sendable (@escaping @Sendable (Writing.Adoption, Household) -> Void) throws -> Outcome

  /// `standing` is asked often and asks nobody else.
  public init(standing: @escaping @Sendable () throws -> Standing, go: @escaping Go) {
    self.standing = standing
    self.go = go
  }
}
