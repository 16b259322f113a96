import LarderModel

/// The help about amounts, days and filters; tests read its examples.
enum WrittenForms {
  /// A text that people may write, and its meaning.
  typealias Example = (written: String, meaning: String)

  static let topics = [amounts, dates, filters]

  static let amounts = HelpTopic(
    name: "amounts", summary: "How to write amounts",
    text: """
      An amount is a number with a unit or without one. Without one it counts in the item's unit. Of \
      what is weighed or measured, 'half' and fractions need a unit, as it may be half of all.

      \(table(amountExamples))

      A unit is one of \(Unit.choices). Litres and millilitres convert, and so do kilograms and grams. \
      lb and oz count exactly in what is measured by weight (1 lb is 453.59237 g), and gal, qt, pt, cup, \
      fl oz, tbsp and tsp in what is measured by volume; there, oz is fl oz. They are the US ones. In a \
      household that counts in GBP, gal, qt, pt and fl oz are the imperial ones; 'us pint' and \
      'imperial pint' are clear everywhere. What is counted in lb or gal stays so, and takes the \
      others. '1,000' is asked about, because it may be 1 or 1000.
      """)

  static let amountExamples: [Example] = [
    ("3", "three of the item's unit"), ("0.5", "half of one"), ("0,5", "the same"),
    ("1/4l", "a quarter of a litre"), ("1 1/2 kg", "one and a half kilograms"), ("½", "a half"),
    ("half", "the same"), ("500g", "500 grams"), ("500 g", "the same"), ("2cl", "20 millilitres"),
    ("5lb", "five pounds, 2267.96185 g"), ("1/2 lb", "half a pound"),
    ("12 fl oz", "12 US fluid ounces, 354.882355 ml"), ("1 imperial pint", "568.26125 ml"),
    ("2x", "two"), ("2 x 1.5 l", "three litres"), ("a dozen", "twelve pieces"),
    ("2 and a half kg", "2.5 kilograms"),
    ("4 tins", "four tins; any word is a unit"), ("2 packs", "two of the size of a product's pack"),
    ("all", "all there is"),
  ]

  static let dates = HelpTopic(
    name: "dates", summary: "How to write days",
    text: """
      A day without its year is the next one, or the last one where it is about what was done, as in \
      'larder log --since'. A month is its last day, as on tins. After --since and --until, a year, a \
      month, 'last month' or 'this week' is its first and its last day, and '30d' is thirty days ago.

      \(table(dayExamples))

      '3/4/2026' is asked about, because the day or the month may be first. A moment is a day, a time, \
      or both: '18:30', 'yesterday 18:30'.

      In lists, '~2026-12-24' is a guess: nobody read the day on a package, and it follows from how long \
      the item keeps. A day behind 'made' or 'packed' is no last day.
      """)

  static let dayExamples: [Example] = [
    ("2026-12-24", "24 December 2026"), ("24.12.2026", "the same"), ("24.12.26", "the same"),
    ("24/12/2026", "the same, as 24 is no month"), ("24 dec 2026", "the same"),
    ("dec 24, 2026", "the same"), ("20261224", "the same"), ("24.12.", "the next 24 December"),
    ("12-24", "the same"), ("24 dec", "the same"), ("12/2026", "31 December 2026"),
    ("dec 2026", "the same"), ("today", "this day; also tomorrow and yesterday"),
    ("fri", "the next Friday"), ("10d", "in ten days"), ("in 2 weeks", "in 14 days"),
    ("3m", "in three months; y is a year"), ("-3d", "three days ago"),
  ]

  static let filters = HelpTopic(
    name: "filters", summary: "How to choose what a list shows",
    text: """
      Lists, and 'larder stocktake', take words and filters. A row must match all filters. Put one with \
      >, < or a blank into quotes.

      \(table(filterExamples))

      The help of each list names its fields and states: 'larder stock list --help'. '--sort expiry' \
      sorts by a field, '--sort -expiry' in reverse, and '-n 5' shows five.
      """)

  static let filterExamples: [Example] = [
    ("milk", "things with the word in a name, a note or the category"),
    ("milk bread", "things with both words, or else with one of them"),
    ("category:dairy", "a field with this text"), ("location:freezer", "things in this location"),
    ("-category:dairy", "all other things"), ("category:", "things without one"),
    ("total<500g", "less than that, in any unit that converts"),
    ("total>=2", "also >, <= and ="), ("total=0", "things that are used up"),
    ("expiry<24.12.", "things that expire before then; see 'larder help dates'"),
    ("is:low", "a state"), ("-is:low", "not in that state"),
  ]

  private static func table(_ examples: [Example]) -> String {
    definitionList(examples.map { ($0.written, $0.meaning) }, width: 76).joined(separator: "\n")
  }
}
