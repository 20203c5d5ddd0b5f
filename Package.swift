// swift-tools-version: 6.2
import PackageDescription

/// Every warning is an error: what is only a warning today is a bug report tomorrow.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  // Of a release alone: tests run with the checks. What a process holds is its one thread's own,
  // so that nobody touches it while another does is true by design. Both together: 5 to 10 % of a
  // write.
  .unsafeFlags(
    ["-enforce-exclusivity=unchecked", "-cross-module-optimization"],
    .when(configuration: .release)),
]

/// What comes from libraries is bound at the start, and the table of it is read-only from then on.
let hardened: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: hardened)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

func system(_ name: String, _ pkgConfig: String?, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "muster",
  targets: [
    // C libraries: a module map and a shim each, imported by one target each.
    system("CZeroMQ", "libzmq", "libzmq3-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    system("CUtf8proc", "libutf8proc", "libutf8proc-dev"),
    system("CInih", "inih", "libinih-dev"),
    system("CCsv", nil, "libcsv-dev"),
    system("CSmartcols", "smartcols", "libsmartcols-dev"),
    system("CSodium", "libsodium", "libsodium-dev"),
    system("CSystemd", "libsystemd", "libsystemd-dev"),
    system("CZlib", "zlib", "zlib1g-dev"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CTimer"),
    .target(name: "CMessages", linkerSettings: [.linkedLibrary("protobuf-c")]),
    // Ours: bounds that libzmq has not.
    .target(name: "CConnections"),

    library("Model", []),
    library("ZeroMQ", ["CZeroMQ", "CConnections"]),
    library("SQLite", ["CSQLite", "Model"]),
    library("Wire", ["CMessages", "CUtf8proc", "Model"]),
    library("Keys", ["Wire", "ZeroMQ", "Model"]),
    library(
      "ServiceKit",
      ["Keys", "Wire", "ZeroMQ", "SQLite", "Model", "CInih", "CLinux", "CSodium", "CSystemd"]),
    library("Places", ["SQLite", "Wire", "Model"]),
    library("Profiles", ["ServiceKit"]),
    library("Locations", ["ServiceKit", "Places"]),
    library("CheckIns", ["ServiceKit"]),
    library("Gateway", ["ServiceKit", "Places", "SQLite"]),
    library("Client", ["Keys", "Wire", "ZeroMQ", "Model"]),
    library("Terminal", ["Wire", "CCsv", "CSmartcols"]),
    library(
      "LoadDriver", ["Client", "Terminal", "Wire", "Model", "ZeroMQ", "CZlib", "CTimer"]),

    library(
      "Upkeep",
      ["Profiles", "Locations", "CheckIns", "ServiceKit", "SQLite", "ZeroMQ", "Terminal", "Wire"]),

    program("muster-profiles", ["Profiles"]),
    program("muster-locations", ["Locations", "ServiceKit", "SQLite"]),
    program("muster-checkins", ["CheckIns", "SQLite", "ServiceKit"]),
    program("muster-gateway", ["Gateway", "ServiceKit"]),
    program("muster-load", ["LoadDriver", "Client", "Terminal", "Wire", "ZeroMQ"]),
    program(
      "muster", ["Client", "Keys", "Upkeep", "Terminal", "Wire", "ZeroMQ", "Model", "CProcess"]),

    // A service at work in a test, without sockets; no test of its own.
    support("Harness", ["ServiceKit", "Wire", "ZeroMQ", "Model"]),
    // All programs in one process, on one thread, from one seed. It has SQLite for a file system of
    // its own.
    .executableTarget(
      name: "muster-sim",
      dependencies: [
        "Profiles", "Locations", "CheckIns", "Gateway", "ServiceKit", "SQLite", "CSQLite", "Wire",
        "ZeroMQ", "Model", "Harness",
      ], path: "Tests/Simulation", swiftSettings: strict),
    tests("ModelTests", ["Model"]),
    tests("ZeroMQTests", ["ZeroMQ"]),
    tests("KeysTests", ["Keys", "Wire", "ZeroMQ"]),
    tests("SQLiteTests", ["SQLite"]),
    tests("WireTests", ["Wire"]),
    tests("ProfilesTests", ["Profiles", "Harness", "ServiceKit", "SQLite", "Wire", "Model"]),
    tests(
      "GatewayTests",
      ["Gateway", "Harness", "Keys", "ServiceKit", "SQLite", "Wire", "ZeroMQ", "Model"]),
    tests(
      "CheckInsTests",
      ["CheckIns", "Harness", "ServiceKit", "SQLite", "CSQLite", "Wire", "ZeroMQ", "Model"]),
    tests("ServiceKitTests", ["ServiceKit", "Keys", "SQLite", "Wire", "ZeroMQ", "Model"]),
    tests("PlacesTests", ["Places"]),
    tests("LocationsTests", ["Locations", "Harness", "ServiceKit", "SQLite", "Wire", "Model"]),
    tests("TerminalTests", ["Terminal"]),
    tests("ClientTests", ["Client", "Keys", "ZeroMQ"]),
    tests("LoadDriverTests", ["LoadDriver", "Terminal", "Wire", "Model"]),
    tests(
      "UpkeepTests",
      ["Upkeep", "Profiles", "Locations", "CheckIns", "ServiceKit", "SQLite"]),
    tests("CLITests", ["muster"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make bench-micro` asks for it: it is no test, and is only worth something as a release.
if Context.environment["MUSTER_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "muster-bench-micro",
      dependencies: [
        "CheckIns", "Gateway", "Harness", "ServiceKit", "SQLite", "Wire", "ZeroMQ", "Model",
      ],
      path: "Tests/Bench", swiftSettings: strict))
}

// tools/fuzz asks for it: it links only together with libFuzzer.
if Context.environment["MUSTER_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "muster-fuzz", dependencies: ["Wire"], path: "Tests/Fuzz", swiftSettings: strict))
}
