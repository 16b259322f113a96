import LarderKit

extension GrocyReport.LeftOut {
  /// The sentence about it, with the way to get it if there is one.
  var sentence: String {
    let names = inShort(names)
    return switch sort {
    case .families: "left out is which products are parts of others: \(names)"
    case .sharedMinimum:
      "the minimum of \(names) is left out, as in Grocy it is about several products together; 'larder "
        + "stock edit ITEM --minimum N' sets one"
    case .opened:
      "taken as closed, as no answer says since when it is open: \(names); /api/objects/stock may say "
        + "it, 'larder open ITEM' opens one"
    case .prices: "the prices of \(names) are left out: here, prices are those of receipts"
    case .userfields: "left out, as nothing here is like them: the userfields \(names)"
    case .lists: "the entries of Grocy's lists \(names) are on one list here"
    case .pictures: "the pictures of \(names) are left out"
    case .calories: "the calories of \(names) are left out"
    }
  }
}
