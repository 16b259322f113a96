import LarderModel

/// A sort of thing that households keep.
struct Goods {
  let name: String
  let category: String
  let unit: LarderModel.Unit
  /// How much somebody usually takes or brings, in the unit.
  let portion: Int

  private init(_ name: String, _ category: String, _ unit: LarderModel.Unit, _ portion: Int) {
    self.name = name
    self.category = category
    self.unit = unit
    self.portion = portion
  }

  static let all = [
    Goods("Oat milk", "Dairy", .liter, 1), Goods("Eggs", "Dairy", .piece, 2),
    Goods("Butter", "Dairy", .gram, 50), Goods("Mature cheddar", "Dairy", .gram, 100),
    Goods("Greek yoghurt", "Dairy", .gram, 250), Goods("Crème fraîche", "Dairy", .gram, 100),
    Goods("Basmati rice", "Dry goods", .gram, 200), Goods("Penne", "Dry goods", .gram, 250),
    Goods("Plain flour", "Dry goods", .gram, 500), Goods("Red lentils", "Dry goods", .gram, 150),
    Goods("Chopped tomatoes", "Tins", .piece, 1), Goods("Chickpeas", "Tins", .piece, 1),
    Goods("Coconut milk", "Tins", .milliliter, 400), Goods("Tuna in brine", "Tins", .piece, 1),
    Goods("Bananas", "Fruit & vegetables", .piece, 2),
    Goods("Apples", "Fruit & vegetables", .piece, 2),
    Goods("Carrots", "Fruit & vegetables", .gram, 250),
    Goods("Onions", "Fruit & vegetables", .piece, 1),
    Goods("Garden peas", "Frozen", .gram, 300), Goods("Fish fingers", "Frozen", .pack, 1),
    Goods("Sourdough bread", "Bakery", .piece, 1), Goods("Müsli", "Bakery", .gram, 100),
    Goods("Coffee beans", "Drinks", .gram, 100), Goods("Orange juice", "Drinks", .liter, 1),
    Goods("Olive oil", "Oils & spices", .milliliter, 100),
    Goods("Black pepper", "Oils & spices", .gram, 10),
    Goods("Toilet paper", "Household", .piece, 2),
    Goods("Dishwasher tablets", "Household", .piece, 6),
    Goods("Hand soap", "Household", .piece, 1), Goods("AA batteries", "Household", .piece, 2),
  ]

  static let brands = ["Orto Vero", "Greenway", "Harbour Lane", "Marlow Finch", "Ridgeway"]
  static let shops = ["Greenway Market", "Marlow & Finch", "Harbour Lane", "Ridgeway Farm Shop"]
  static let places = ["Fridge", "Freezer", "Kitchen cupboard", "Cellar", "Pantry", "Garage"]
}
