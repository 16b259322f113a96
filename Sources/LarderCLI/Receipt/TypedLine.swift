import LarderKit
import LarderModel

extension TypedLine {
  static let option = Option(
    "line", short: "l", value: "ITEM=N@PRICE", isRepeatable: true,
    help:
      "the quantity of an item and the price of one; @@PRICE is that of all; =N or @PRICE may be left out"
  )
}

extension Invocation {
  /// Returns the lines from `--line`; throws all mistakes at once.
  func typedLines() throws -> [TypedLine] {
    var problems: [UsageProblem] = []
    let lines = all(TypedLine.option).compactMap { text -> TypedLine? in
      do throws(TypedLine.Mistake) {
        return try TypedLine(assigned: text)
      } catch {
        problems.append(
          .unreadable(value: text, name: TypedLine.option.spelling, reason: error.reason))
        return nil
      }
    }
    guard problems.isEmpty else { throw UsageError(problems, in: path) }
    return lines
  }
}

extension TypedLine.Mistake {
  /// The reason in words.
  var reason: String {
    switch self {
    case .noName: "ITEM=N@PRICE is needed, as in Milk=2l@1.65, Milk=2 or Milk@1.65"
    case .badQuantity(let mistake): mistake.reason
    case .belowZero: "a quantity can't be below zero"
    case .maybePrice(let name, let amount):
      "write \(name)@\(amount) for the price, or \(name)=\(amount)x for the quantity"
    case .noPriceSign(let thing, let number):
      "write \(thing) @@ \(number) for the price, or \(number)x \(thing) for the amount"
    case .badPrice(let mistake): mistake.reason
    }
  }
}
