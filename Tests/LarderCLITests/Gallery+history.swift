import Foundation
import TestSupport

extension Gallery {
  private static let milk = ["stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 2")]

  /// Another device's copy, whose commands come an hour later, and a sync of both.
  private static func partner(_ fixture: HouseholdFixture, _ commands: [String]...) throws {
    try fixture.addOrigin()
    _ = try fixture("sync")
    try fixture.join("phone")
    var phone = fixture.larder
    phone.device = "phone"
    phone.now = "2026-11-21T13:00:00Z"
    for words in commands { _ = try phone.run(words, in: "home/phone") }
    _ = try phone("sync", in: "home/phone")
    _ = try fixture("sync")
  }

  /// What can't be taken back, brought back or found in the history.
  static let history = [
    GalleryEntry("undo-nothing", "undo"),
    GalleryEntry("redo-nothing", "redo"),
    GalleryEntry("undo-unknown-commit", "undo", "HEAD~7"),
    GalleryEntry("undo-beginning", "undo", "HEAD"),
    GalleryEntry("undo-nothing-left", "undo", "HEAD~1", files: milk) { fixture in
      _ = try fixture("stock", "use", "milk")
      _ = try fixture("undo")
    },
    GalleryEntry("undo-merge", "undo", "HEAD", files: milk) { fixture in
      _ = try fixture("adopt")
      try fixture.addOrigin()
      _ = try fixture("sync")
      try fixture.join("phone")
      _ = try fixture("stock", "use", "milk")
      _ = try fixture("sync")
      _ = try fixture.larder("stock", "use", "milk", in: "home/phone")
      _ = try fixture.larder("sync", in: "home/phone")
      _ = try fixture("sync")
    },
    GalleryEntry("undo-changed-since", "undo", files: milk) { fixture in
      _ = try fixture("adopt")
      _ = try fixture("stock", "edit", "milk", "--name", "Oat milk", "--category", "Drinks")
      try partner(
        fixture, ["stock", "edit", "oat milk", "--name", "Oatly"],
        ["stock", "edit", "oatly", "--category", "Vegan"])
    },
    GalleryEntry("undo-changed-since-json", "undo", "--json", files: milk) { fixture in
      _ = try fixture("adopt")
      _ = try fixture("stock", "edit", "milk", "--category", "Drinks")
      try partner(fixture, ["stock", "edit", "milk", "--category", "Vegan"])
    },
    GalleryEntry("undo-new-item-used", "undo", files: milk) { fixture in
      _ = try fixture("adopt")
      try partner(fixture, ["stock", "use", "milk"])
    },
    GalleryEntry("redo-changed-since", "redo", files: milk) { fixture in
      _ = try fixture("adopt")
      _ = try fixture("stock", "edit", "milk", "--name", "Oat milk")
      _ = try fixture("undo")
      try partner(fixture, ["stock", "edit", "milk", "--name", "Oatly"])
    },
    GalleryEntry("conflicts-unknown-id", "conflicts", "show", "4f2a91cd"),
    GalleryEntry("conflicts-no-id", "conflicts", "restore", "last"),
    GalleryEntry("conflicts-unit", "conflicts", "restore", "f40633d5", files: milk) { fixture in
      try fixture.write(Written.item(2, "Rice"), to: "stock/rice.json")
      _ = try fixture("adopt")
      try fixture.addOrigin()
      _ = try fixture("sync")
      try fixture.join("phone")
      _ = try fixture("stock", "edit", "rice", "--unit", "gram")
      _ = try fixture("sync")
      var phone = fixture.larder
      phone.now = "2026-11-21T13:00:00Z"
      _ = try phone("stock", "edit", "rice", "--unit", "pack", in: "home/phone")
      _ = try phone("stock", "put", "rice", "2", in: "home/phone")
      _ = try phone("sync", in: "home/phone")
      _ = try fixture("sync")
    },
  ]
}
