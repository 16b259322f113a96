import LarderModel

/// `larder shop`: the shopping list.
enum ShopCommand {
  static let entry = Argument(
    "ENTRY", values: .named(.all(.shoppingListEntry)),
    help: "an entry's name or a part of it, its file or id")
  static let entries = Argument(
    "ENTRY", .oneOrMore, values: .named(.all(.shoppingListEntry)),
    help: "entries' names or parts of them, files or ids")
  static let amount = Argument("AMOUNT", .zeroOrMore, help: "how much to buy: 2, 1.5l, 2 packs")
  static let note = Option(
    "note", value: "TEXT", takesEmpty: true, help: "what to look for; empty removes it")

  static let command = Command(
    "shop", summary: "The shopping list",
    discussion: """
      An entry is for an item of the stock, or for anything else by its name. 'larder shop got' puts \
      it into the basket, and 'larder receipt save' makes a receipt of the basket, adds it to the \
      stock and closes the entries. Without a verb, 'larder shop' lists what to buy.
      """,
    group: "Household",
    examples: [
      Example("larder shop"), Example("larder shop buy milk 2l"),
      Example("larder shop buy 'Birthday candles'", "something that is no item"),
      Example("larder shop fill", "everything that is low"),
    ],
    parts: [
      .init("list") { ShopList.list },
      .init("buy") { ShopAdd.command.withDryRun },
      .init("got") { ShopMark.done.withDryRun },
      .init("undone") { ShopMark.undone.withDryRun },
      .init("edit") { ShopEdit.command.withDryRun },
      .init("remove") { ShopMark.remove.withDryRun },
      .init("restore") { ShopMark.restore.withDryRun },
      .init("fill") { ShopFill.command.withDryRun },
    ], defaultSubcommand: "list")
}
