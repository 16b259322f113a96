import LarderModel
import LarderStore

extension Diagnosis {
  /// A household that is here, or in its project as far as this device has heard, in a newer format.
  func format() throws -> [Complaint] {
    let household = try store.read().household
    if let own = household.own, own.format != "1" {
      return [
        Complaint(
          name: "newerFormat",
          message:
            "the household has format \(own.format), which this larder reads and does not write",
          hint:
            "get a newer larder; or, if nobody meant it, write \"format\": 1 back in household.json, or in the project's table households, and sync"
        )
      ]
    }
    if let format = try store.formatOfUpstream(), format != "1" {
      return [
        Complaint(
          name: "newerRemoteFormat",
          message:
            "the others have the household in format \(format), so nothing is synced with them",
          hint: Prose.aboutNewerFormat[0]
            + "; if nobody meant it, one of them writes \"format\": 1 back in household.json, and syncs"
        )
      ]
    }
    guard let format = try store.cloudFormat(), format != "1" else { return [] }
    return [
      Complaint(
        name: "newerCloudFormat",
        message:
          "the project has the household in format \(format), so nothing is exchanged with it",
        hint: Prose.aboutNewerFormat[0] + "; " + Prose.aboutNewerFormat[1])
    ]
  }
}
