// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strict)
}

func cLibrary(_ name: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig)
}

/// The rules of an area: pure, on Domain alone.
func rules(_ area: String) -> Target {
  .target(name: "\(area)Rules", dependencies: ["Domain"], path: "Sources/Areas/\(area)/Rules", swiftSettings: strict)
}

func tests(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], path: "\(folder)/\(name)Tests")
}

// One direction, from the top of the list to its end: whoever is named uses only what stands above.
let package = Package(
  name: "trackme",
  products: [
    .executable(name: "trackme", targets: ["trackme"]),
    .executable(name: "trackme-bench", targets: ["trackme-bench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    // C libraries: a module map and a shim header each. Never `pkgConfig: "grpc"`: its abseil tree makes the link
    // command longer than the system allows.
    cLibrary("CGRPC"),
    cLibrary("CProtobufC", pkgConfig: "libprotobuf-c"),
    cLibrary("CLibPQ", pkgConfig: "libpq"),
    cLibrary("CSodium", pkgConfig: "libsodium"),
    cLibrary("COpenSSL", pkgConfig: "libcrypto"),
    cLibrary("CCurl", pkgConfig: "libcurl"),
    cLibrary("CExpat", pkgConfig: "expat"),
    cLibrary("CThreads"),
    .target(name: "CGRPCSupport", dependencies: ["CGRPC"], path: "Sources/Libraries/CGRPCSupport"),
    .target(name: "CCurlSupport", dependencies: ["CCurl"], path: "Sources/Libraries/CCurlSupport"),
    .target(name: "CMessages", dependencies: ["CProtobufC"], path: "Sources/Libraries/CMessages"),
    // Country outlines, embedded in the executable.
    .target(
      name: "CCountryOutlines", path: "Sources/Libraries/CCountryOutlines",
      exclude: ["islands.csv", "make_outlines.py", "outlines.bin"]),

    module("Domain", in: "Sources"),
    rules("Identity"),
    rules("Sos"),
    rules("Races"),

    module("Threads", in: "Sources/Libraries", ["CThreads"]),
    module("Crypto", in: "Sources/Libraries", ["CSodium"]),
    module("Console", in: "Sources/Libraries"),
    module("Places", in: "Sources/Libraries", ["CCountryOutlines"]),
    module("GPX", in: "Sources/Libraries", ["CExpat", "Domain"]),
    module("Postgres", in: "Sources/Libraries", ["CLibPQ", "Threads"]),
    module("Outbound", in: "Sources/Libraries", ["CCurl", "CCurlSupport", "Threads"]),
    module("Inbound", in: "Sources/Libraries", ["Threads"]),
    module("OpenIDConnect", in: "Sources/Libraries", ["COpenSSL", "Outbound"]),
    module("RPCRuntime", in: "Sources/Libraries", ["CGRPC", "CGRPCSupport", "Threads", deque]),
    module("WireCodec", in: "Sources/Libraries", ["CMessages", "CProtobufC", "Domain"]),
    module("ServiceAPI", in: "Sources/Libraries", ["RPCRuntime", "WireCodec"]),

    module("Payments", in: "Sources/Areas", ["Crypto", "Outbound"]),
    module(
      "Emergencies", in: "Sources/Areas/Sos", ["Domain", "SosRules", "Outbound", "Threads", logging, deque, heap]),
    module(
      "Storage", in: "Sources",
      ["Domain", "IdentityRules", "SosRules", "Postgres", "Threads", logging, deque]),
    .target(
      name: "RacesStorage",
      dependencies: ["Domain", "RacesRules", "SosRules", "Storage", "Postgres", logging],
      path: "Sources/Areas/Races/Storage", swiftSettings: strict),
    module(
      "ServiceKit", in: "Sources/Kernel",
      [
        "Domain", "RPCRuntime", "WireCodec", "ServiceAPI", "Storage", "Postgres", "Crypto", "Threads", deque,
      ]),
    module(
      "Services", in: "Sources",
      [
        "Domain", "IdentityRules", "SosRules", "RacesRules", "GPX", "RPCRuntime", "WireCodec", "ServiceAPI",
        "ServiceKit", "Storage", "RacesStorage", "Postgres", "Outbound", "Crypto", "OpenIDConnect", "Emergencies",
        "Inbound",
        "Payments", "Threads",
        deque,
      ]),

    .executableTarget(
      name: "trackme",
      dependencies: [
        "Console", "Domain", "IdentityRules", "SosRules", "RacesRules", "RPCRuntime", "WireCodec", "ServiceAPI",
        "Postgres", "Storage", "RacesStorage", "ServiceKit", "Inbound", "Outbound", "Payments", "OpenIDConnect",
        "Emergencies",
        "Places", "Services",
        "Threads", arguments, logging, lifecycle,
      ], swiftSettings: strict),
    // `trackme bench`, which starts servers of its own: built when it is asked for.
    .executableTarget(
      name: "trackme-bench",
      dependencies: [
        "Console", "Domain", "SosRules", "RacesRules", "Emergencies", "Postgres", "RPCRuntime", "ServiceAPI", "Storage",
        "Threads",
        "WireCodec", arguments,
      ], path: "Sources/Tools/Bench", swiftSettings: strict),
    .executableTarget(
      name: "trackme-generate", dependencies: ["CMessages", "CProtobufC"], path: "Sources/Tools/Generate",
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    tests("Domain", in: "Tests", ["Domain"]),
    tests("IdentityRules", in: "Tests/Areas/Identity", ["IdentityRules", "Domain"]),
    tests("SosRules", in: "Tests/Areas/Sos", ["SosRules", "Domain"]),
    tests("RacesRules", in: "Tests/Areas/Races", ["RacesRules", "Domain"]),
    tests("Threads", in: "Tests/Libraries", ["Threads"]),
    tests("Crypto", in: "Tests/Libraries", ["Crypto"]),
    tests("Places", in: "Tests/Libraries", ["Places"]),
    tests("GPX", in: "Tests/Libraries", ["GPX", "Domain"]),
    tests("Postgres", in: "Tests/Libraries", ["Postgres", "Threads"]),
    tests("Outbound", in: "Tests/Libraries", ["Outbound"]),
    tests("Inbound", in: "Tests/Libraries", ["Inbound"]),
    tests("OpenIDConnect", in: "Tests/Libraries", ["COpenSSL", "OpenIDConnect", "Outbound"]),
    tests("RPCRuntime", in: "Tests/Libraries", ["RPCRuntime"]),
    tests("WireCodec", in: "Tests/Libraries", ["WireCodec", "Domain"]),
    tests("Generate", in: "Tests/Tools", ["trackme-generate"]),
    tests("Payments", in: "Tests/Areas/Payments", ["Payments", "Outbound"]),
    tests("Emergencies", in: "Tests/Areas/Sos", ["Emergencies", "SosRules", "Domain", "Outbound"]),
    tests(
      "Storage", in: "Tests",
      ["Storage", "RacesStorage", "Postgres", "IdentityRules", "SosRules", "RacesRules", "Domain"]),
    tests(
      "Services", in: "Tests",
      [
        "GPX", "Services", "ServiceKit", "ServiceAPI", "RPCRuntime", "WireCodec", "Storage", "RacesStorage", "Postgres",
        "Inbound",
        "Outbound",
        "Payments", "Emergencies", "Places", "IdentityRules", "SosRules", "RacesRules", "Domain", "Threads",
      ]),
  ]
)

// Nobody reads the warnings of a build that passes.
if Context.environment["CI"] == "true" {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
