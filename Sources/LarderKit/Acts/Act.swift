public import LarderModel
internal import LarderStore

/// Something that a person did on a device without a clone, such as a phone, perhaps hours ago.
///
/// It means what it meant at its moment: its effect is that of a clone that made the change then and
/// syncs now. Doing an act again changes nothing.
public struct Act: Sendable {
  /// An id that the device made, which names nothing yet; a new item gets it as its own id.
  public var id: String
  /// The moment of the tap; a later one than now counts as now.
  public var at: Instant
  /// The device's name, for the ledger and the log.
  public var device: String
  public var deed: Deed
  /// The id of the household in which it was done; nil for the one at hand.
  public var household: String?

  public init(id: String, at: Instant, by device: String, _ deed: Deed) {
    self.id = id
    self.at = at
    self.device = device
    self.deed = deed
  }

  /// The longest time for which an act may wait: 90 days.
  public static let longestWait: Int64 = 90 * 24 * 3600 * 1000

  var origin: Origin { Origin(at: at, device: device, request: id) }
}

/// A deed: a change that somebody made, by the ids of what it is about.
///
/// Entities are named by their ids, or by the id of the act that made them.
public enum Deed: Sendable {
  /// Puts an entry into the basket.
  case got(entry: String)
  /// Takes an entry out of the basket.
  case ungot(entry: String)
  /// Puts things on the list.
  case want([Wish])
  /// Takes an entry off the list.
  case drop(entry: String)
  /// Puts an entry back on the list.
  case restore(entry: String)
  /// Puts more of an item into the stock: with nil, where and until when the item says; with
  /// `.some(nil)`, nowhere in particular, and without a day.
  case put(item: String, Amount, location: String??, expiry: Day??)
  case use(Holder, Amount)
  /// Throws away; a batch or what lies loose without an amount as a whole.
  case spoil(Holder, Amount?, note: String?)
  case count(Holder, Amount)
  /// Moves; with nil, the day stays, with `.some(nil)` there is none.
  case move(Holder, to: String, Amount?, expiry: Day??)
  case open(Holder, Amount?)
  case edit(Kind, String, [FieldValue])
  /// Writes or removes the expiry or the place; of what lies loose, which is a batch then.
  case date(Holder, Amount?, expiry: Day??, location: String??)
  /// Makes an item with some fields, and perhaps a quantity in the stock, as with `put`.
  case new([FieldValue], Amount?, expiry: Day??)
  case archive(item: String)
  /// Brings an item back, perhaps under another name.
  case unarchive(item: String, name: String?)
  /// Makes a location with some fields, or edits the one with the id; its name has to say whether it
  /// is a freezer, if that is said.
  case place(location: String?, [FieldValue], isFreezer: Bool?)
  /// Removes a location that nothing names.
  case unplace(location: String)
  /// Says what a pack with a number is: so much of an item.
  case barcode(String, item: String, Amount?)
  case bought(Bought)
  case correct(receipt: String, Correction)
  case void(receipt: String)
  /// Brings back a receipt that was taken back.
  case unvoid(receipt: String)
  /// Writes settings of the household.
  case settings([FieldValue])
  /// Takes an earlier act back.
  case undo(act: String)

  /// A number, and its unit if that is not the unit of the thing.
  public struct Amount: Sendable {
    public var value: Number
    public var unit: Unit?

    public init(_ value: Number, _ unit: Unit? = nil) {
      self.value = value
      self.unit = unit
    }

    func quantity(in unit: Unit) -> Quantity { Quantity(value, self.unit ?? unit) }
  }

  /// A thing with a quantity: an item, a batch, or what lies loose of an item.
  public enum Holder: Sendable {
    case item(String), batch(String), loose(item: String)
  }

  /// A wish for the list: an item, or typed words such as `milk 2l, eggs`, which may say how much.
  public struct Wish: Sendable {
    public enum Subject: Sendable {
      case item(String), words(String)
    }

    public var subject: Subject
    public var amount: Amount?
    public var note: String?

    public init(_ subject: Subject, _ amount: Amount? = nil, note: String? = nil) {
      self.subject = subject
      self.amount = amount
      self.note = note
    }
  }

  /// A purchase: entries of the list, and lines that say more of them or that were on no list.
  public struct Bought: Sendable {
    public var shop: String
    public var entries: [String] = []
    public var lines: [Line] = []
    public var amount: Number?
    public var currency: String?
    public var timestamp: Instant?
    /// The fields that nobody said: of shop, amount and time, what a form filled in.
    public var guessed: Set<FieldName> = []
    /// The id of the receipt, of the same basket, to which it adds what that lacks.
    public var joins: String?

    public init(shop: String) { self.shop = shop }
  }

  /// A line of a purchase.
  public struct Line: Sendable {
    public enum Subject: Sendable {
      case entry(String), item(String), name(String)
    }

    public var subject: Subject
    /// Nil for as much of an entry as is on the list.
    public var amount: Amount?
    public var price: Number?
    public var expiry: Day?
    public var location: String?

    public init(_ subject: Subject, _ amount: Amount? = nil) {
      self.subject = subject
      self.amount = amount
    }
  }

  /// The correction of a receipt and of its lines.
  public struct Correction: Sendable {
    /// The fields of the receipt to write; without a value to remove.
    public var fields: [FieldValue] = []
    /// The fields of lines to write, by the ids of the lines.
    public var lines: [(id: String, fields: [FieldValue])] = []
    /// The id of a line that goes.
    public var removed: String?
    /// A line to add, whose id is that of the act.
    public var added: Line?
    /// Whether nobody has to be asked any more where its things lie.
    public var isPutAway = false

    public init() {}
  }
}

/// The answer to an act.
public struct ActAnswer: Sendable {
  public enum Result: Sendable {
    case done
    /// It was done before, and nothing changed now.
    case repeated
    /// Somebody wrote the same later, and that stands; everything else of the act is done.
    case overtaken([LaterValue])
  }

  public let result: Result
  /// The entity that the act made or put on the list.
  public let made: EntityKey?
  /// The household now.
  public let survey: Survey
}

/// A value that stands although an act wrote another one, because it is later.
public struct LaterValue: Sendable {
  /// The entity's name.
  public let title: String
  public let key: EntityKey
  public let name: FieldName
  public let value: JSON?
  /// The time of the later write.
  public let at: Instant
  /// The person or the device that wrote it; nil if no commit says so.
  public let writer: String?
}

/// The reason why an act can't be done, beside those of the rules.
public enum ActError: Error, Hashable, Sendable {
  /// No act with the id is in the history.
  case unknownAct(id: String)
  /// The act waited longer than ``Act/longestWait``.
  case tooOld(at: Instant)
  /// The words name nothing, or an amount in them can't be read.
  case unreadable(words: String)
  /// Another household has taken the place of the one in which the act was done.
  case otherHousehold(root: String)
  /// The act's id is that of something in the household.
  case takenID(String)
  /// Somebody else saved the basket.
  case basketIsSaved(SavedBasketNews)
  /// An entry of an item has the item's name.
  case nameOfItem(String)
  /// Nothing of the item lies outside its batches.
  case nothingLoose(of: String)
  /// Something is in the location, or is usually put there.
  case locationInUse(String)
  /// A location is a freezer if its name says so, and only then.
  case freezerByName(String, isFreezer: Bool)
}

extension LaterValue {
  /// Who wrote what and when, such as `Tom: 550 g, 17:58`.
  public func sentence(in survey: Survey) -> String {
    let moment = survey.calendar.text(of: at)
    let isToday = survey.calendar.day(of: at) == survey.calendar.today
    let time = isToday ? String(moment.suffix(5)) : moment
    return "\(writer ?? "somebody"): \(words(in: survey)), \(time)"
  }

  private func words(in survey: Survey) -> String {
    switch name {
    case .isCompleted: value?.bool == true ? "in the basket" : "not in the basket"
    case .isDeleted where key.kind == .receipt: value?.bool == true ? "void" : "not void"
    case .isDeleted: value?.bool == true ? "off the list" : "on the list"
    case .isArchived: value?.bool == true ? "archived" : "not archived"
    case .expiryInfo where value == nil: "no date"
    case .storageLocationID where value?.string?.isEmpty ?? true: "no place"
    default:
      EntityWords(of: survey.household).text(of: value, field: name, in: survey.household[key])
    }
  }
}
