import LarderKit
import LarderModel

extension TypedQuantity.Mistake {
  /// The reason in words.
  var reason: String {
    switch self {
    case .noNumber: "a number is needed, as in 2, 0.5, 1/4, 1.5kg or '500 g'"
    case .comma(let decimal, let thousands):
      "this may be \(decimal) or \(thousands); write one of them"
    case .tooManyDigits: "at most 15 digits can be kept, six of them decimals"
    case .unknownUnit(let unit): "'\(unit)' is no unit (\(Unit.choices))"
    }
  }
}

extension Unit {
  /// The units, for help and messages.
  static let choices = "piece, pack, g, kg, ml, l, or one word such as bottle"

  /// The short form if there is one, such as `kg`; otherwise the full name, such as `piece`.
  var shortName: String { symbol ?? rawValue }
}

extension Invocation {
  /// Returns the quantity in the words after a name; nil if there are none.
  ///
  /// Its unit is the typed one, or that of `--unit`.
  func quantity(
    _ argument: Argument, behind name: Argument, _ unit: Option
  ) throws -> TypedQuantity? {
    let words = all(argument)
    guard !words.isEmpty else { return nil }
    let text = words.joined(separator: " ")
    do throws(TypedQuantity.Mistake) {
      _ = try TypedQuantity(text)
    } catch .noNumber, .unknownUnit {
      let end = words.indices.first {
        (try? TypedQuantity(words[$0...].joined(separator: " "))) != nil
      }
      let amount = words[(end ?? words.endIndex)...]
      let whole = ([self[name]] + words.dropLast(amount.count)).joined(separator: " ")
      let command = (path + [shellWord(whole)] + amount).joined(separator: " ")
      throw CommandError(
        .usage, "\(argument.name): \(TypedQuantity.Mistake.noNumber.reason), found '\(text)'",
        hints: ["a name of several words needs quotes: \(command)"])
    } catch {}
    return try quantity(text, for: argument.name, unit)
  }

  /// Returns a text's quantity, with the typed unit or that of `--unit`.
  func quantity(_ text: String, for name: String, _ unitOption: Option) throws -> TypedQuantity {
    var quantity = try typed(text, for: name)
    guard let unit = try self.unit(unitOption) else { return quantity }
    guard quantity.unit == nil || quantity.unit == unit else {
      throw unreadable(text, for: name, "\(unitOption.usage) says \(unit.shortName)")
    }
    quantity.unit = unit
    return quantity
  }

  /// Returns a text's quantity.
  func typed(_ text: String, for name: String) throws -> TypedQuantity {
    do throws(TypedQuantity.Mistake) {
      return try TypedQuantity(text)
    } catch {
      throw unreadable(text, for: name, error.reason, topic: WrittenForms.amounts)
    }
  }

  /// Returns the unit of an option, or nil if the option is missing.
  func unit(_ option: Option) throws -> Unit? {
    guard let text = self[option] else { return nil }
    guard let unit = Unit(typed: text) else {
      throw unreadable(text, for: option.spelling, "one of \(Unit.choices) is needed")
    }
    return unit
  }

  /// Returns the number of days in an option's text.
  func days(_ text: String, for option: Option) throws -> Number {
    guard let days = HouseholdCalendar.length(typed: text) else {
      throw unreadable(
        text, for: option.spelling, "a number of days is needed, as in 7, 7d, 3w or 6m")
    }
    return Number(days)
  }

  /// Returns an option's whole number, which is at least 1, or nil if the option is missing.
  func count(_ option: Option) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let count = Int(text), count > 0 else {
      throw unreadable(text, for: option.spelling, "a whole number from 1 on is needed")
    }
    return count
  }
}
