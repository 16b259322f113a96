// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(
  _ name: String, on dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// What tests are compiled with: their own code is not worth the time that optimising it takes.
let plain = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(of name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.init(stringLiteral: name), "LarderText", "TestSupport"] + dependencies,
    swiftSettings: plain)
}

let package = Package(
  name: "larder",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "larder", targets: ["larder"]),
    .library(name: "LarderModel", targets: ["LarderModel"]),
    .library(name: "LarderKit", targets: ["LarderKit"]),
    .library(name: "LarderStore", targets: ["LarderStore"]),
    .library(name: "LarderCloud", targets: ["LarderCloud"]),
  ],
  targets: [
    .systemLibrary(
      name: "Clibgit2", pkgConfig: "libgit2",
      providers: [.apt(["libgit2-dev"]), .brew(["libgit2"])]),
    .systemLibrary(name: "Czlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "Clibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(name: "Cposix"),
    .systemLibrary(name: "Ccurl"),
    .systemLibrary(name: "Cmicrohttpd"),
    library("Libc", on: ["Cposix"]),
    library("LarderText", on: ["Clibcrypto"]),
    library("LarderGit", on: ["Clibgit2", "Czlib", "LarderText", "Libc"]),
    library("LarderJSON", on: ["LarderText"]),
    library("LarderModel", on: ["LarderJSON", "LarderText"]),
    library(
      "LarderStore", on: ["LarderGit", "LarderJSON", "LarderModel", "LarderText", "Libc", "Cposix"]),
    library(
      "LarderCloud",
      on: [
        "Ccurl", "LarderGit", "LarderJSON", "LarderModel", "LarderStore", "LarderText", "Libc",
      ]),
    library(
      "LarderKit",
      on: [
        "LarderCloud", "LarderGit", "LarderJSON", "LarderModel", "LarderStore",
        "LarderText", "Libc",
      ],
      resources: [.embedInCode("Data")]),
    library(
      "LarderServe",
      on: ["Cmicrohttpd", "Czlib", "LarderJSON", "LarderKit", "LarderStore", "LarderText", "Libc"],
      resources: [.embedInCode("Page")]),
    .target(name: "Ccommit"),
    library(
      "LarderCLI",
      on: [
        "Ccommit", "LarderJSON", "LarderKit", "LarderModel", "LarderServe", "LarderText", "Libc",
      ],
      resources: [.embedInCode("Help"), .embedInCode("Completions")]),
    .executableTarget(
      name: "larder", dependencies: ["LarderCLI", "Libc"], swiftSettings: strict),
    .executableTarget(
      name: "shopping-example", dependencies: ["LarderKit"], path: "Examples/Shopping",
      swiftSettings: strict),

    .target(
      name: "TestSupport",
      dependencies: ["LarderJSON", "LarderModel", "LarderText", "Libc", "Seeded"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "HomeSupport",
      dependencies: [
        "LarderGit", "LarderJSON", "LarderModel", "LarderStore", "LarderText", "Libc",
        "SystemSteps", "TestSupport",
      ], path: "Tests/HomeSupport", swiftSettings: strict),
    .target(name: "SystemSteps", path: "Tests/SystemSteps"),
    .target(
      name: "Simulation",
      dependencies: [
        "LarderCloud", "LarderGit", "LarderJSON", "LarderModel", "LarderStore",
        "LarderText", "SystemSteps", "TestSupport",
      ], path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation"], path: "Tests/simulate",
      swiftSettings: strict),
    .target(
      name: "Seeded", dependencies: ["LarderModel"], path: "Tests/Seeded", swiftSettings: strict),
    .executableTarget(
      name: "larder-generator",
      dependencies: [
        "LarderGit", "LarderJSON", "LarderModel", "LarderStore", "LarderText", "Seeded",
      ],
      path: "Tests/Generator", swiftSettings: strict),
    .target(
      name: "Laws", dependencies: ["LarderJSON", "LarderModel", "LarderStore", "LarderText"],
      path: "Tests/Laws", swiftSettings: strict),
    tests(of: "Laws"),
    tests(of: "LarderGit", on: ["Seeded", "SystemSteps"]),
    tests(of: "LarderJSON"),
    tests(of: "LarderModel", on: ["LarderJSON"]),
    tests(
      of: "LarderStore",
      on: ["HomeSupport", "LarderGit", "LarderJSON", "LarderModel", "larder"]),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "LarderGit", "LarderJSON", "LarderModel", "LarderStore", "LarderText", "Libc", "Simulation",
        "TestSupport", "simulate",
      ], swiftSettings: plain),
    tests(
      of: "LarderKit",
      on: ["HomeSupport", "LarderGit", "LarderJSON", "LarderModel", "LarderStore"]),
    .testTarget(
      name: "AppTests", dependencies: ["LarderKit", "TestSupport"], swiftSettings: plain),
    tests(
      of: "LarderCloud", on: ["LarderJSON", "LarderKit", "LarderModel", "LarderStore", "Libc"]),
    tests(of: "LarderServe", on: ["LarderJSON", "LarderKit", "Libc", "larder"]),
    tests(
      of: "LarderCLI",
      on: [
        "LarderGit", "LarderJSON", "LarderKit", "LarderModel", "LarderStore",
        "Libc", "SystemSteps", "larder",
      ]),
    .testTarget(
      name: "CrashTests", dependencies: ["TestSupport", "larder"], exclude: ["faults.c"],
      swiftSettings: plain),
  ],
  swiftLanguageModes: [.v6]
)

// `make fuzz` and `make years` alone build these, each in a folder of its own below .build.
if Context.environment["LARDER_WORKSHOP"] == "1" {
  package.targets += [
    .executableTarget(
      name: "larder-fuzz", dependencies: ["Laws", "Libc"], path: "Tests/Fuzzer",
      swiftSettings: strict),
    .executableTarget(
      name: "larder-years",
      dependencies: [
        "LarderGit", "LarderJSON", "LarderModel", "LarderStore", "LarderText", "Libc", "Seeded",
      ], path: "Tests/Years", swiftSettings: strict),
  ]
}
