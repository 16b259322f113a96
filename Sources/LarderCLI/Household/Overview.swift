import LarderKit

/// `larder` without a command: on a terminal, in a household, it shows what needs attention today.
enum Overview {
  private static let mostUrgent = 5
  private static let mostToBuy = 10

  static func show(_ invocation: Invocation) throws {
    let output = invocation.output
    guard output.mode == .human, output.terminal.outputIsTerminal, try isInHousehold(invocation)
    else {
      return output.help(Command.Node(path: invocation.path, command: invocation.root))
    }
    try invocation.withLarder { larder in
      StatusCommand.show(try larder.status(), output)
      let survey = try larder.survey()
      let (expired, urgent) = urgent(survey)
      list(
        PassedDay.expired.heading, expired, most: mostUrgent,
        more: "larder stock expired", output)
      list("use first", urgent, most: mostUrgent, more: "larder due", output)
      list("to buy", toBuy(survey), most: mostToBuy, more: "larder shop", output)
    }
  }

  private static func isInHousehold(_ invocation: Invocation) throws -> Bool {
    do {
      _ = try invocation.open()
      return true
    } catch StoreError.notAHousehold {
      return false
    }
  }

  /// Returns lines about lots that have expired, and about those that are past their best or expire
  /// soon, the earliest first.
  private static func urgent(_ survey: Survey) -> (expired: [String], urgent: [String]) {
    let today = survey.calendar.today
    let days = survey.household.own?.expiringWithinDays ?? 14
    let stock = survey.stock
    let lines = { Lot.grouped($0).map(survey.line) }
    return (
      lines(stock.expired(on: today)),
      lines(stock.pastBest(on: today) + stock.due(from: today, days: days))
    )
  }

  private static func toBuy(_ survey: Survey) -> [String] {
    survey.shoppingList.filter { !$0.entity.isCompleted }.map { entry in
      "\(survey.title(of: entry)): \(entry.entity.desired)"
    }
  }

  /// Prints lines below a title, if there are any.
  private static func list(
    _ title: String, _ lines: [String], most: Int, more: String, _ output: Output
  ) {
    guard !lines.isEmpty else { return }
    output.write("\n" + output.paint(title, .bold) + "\n")
    for line in lines.prefix(most) { output.line("  " + line) }
    if lines.count > most { output.line("  and \(lines.count - most) more: '\(more)'") }
  }
}
