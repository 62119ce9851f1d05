// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
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

/// An area: its tables and its services.
/// - Parameters:
///   - dependencies: beside what every area needs.
///   - sources: its folders.
///   - others: folders that are targets of their own.
func area(
  _ name: String, _ dependencies: [Target.Dependency] = [], sources: [String] = ["Storage", "Service"],
  beside others: [String] = []
) -> Target {
  .target(
    name: name, dependencies: areaBase + dependencies, path: "Sources/Areas/\(name)", exclude: others,
    sources: sources, swiftSettings: strict)
}

/// What an area brings to `trackme bench`, which no server needs.
func bench(_ area: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: "\(area)Bench",
    dependencies: [
      "BenchKit", "Console", "Domain", "Log", "Postgres", "RPCRuntime", "ServiceAPI", "Threads", "WireCodec", arguments,
    ] + dependencies, path: "Sources/Areas/\(area)/Bench", swiftSettings: strict)
}

let areaBase: [Target.Dependency] = [
  "Domain", "AreaKit", "Console", "Crypto", "Log", "Metering", "Postgres", "RPCRuntime", "ServiceAPI", "ServiceKit",
  "Threads", "WireCodec", arguments, deque, lifecycle, logging, metrics,
]

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
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
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
    cLibrary("CZip", pkgConfig: "libzip"),
    cLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd"),
    cLibrary("CThreads"),
    .target(
      name: "CGRPCSupport", dependencies: ["CGRPC"], path: "Sources/Libraries/CGRPCSupport",
      linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CCurlSupport", dependencies: ["CCurl"], path: "Sources/Libraries/CCurlSupport"),
    .target(
      name: "CMicroHTTPDSupport", dependencies: ["CMicroHTTPD"], path: "Sources/Libraries/CMicroHTTPDSupport"),
    .target(name: "CMessages", dependencies: ["CProtobufC"], path: "Sources/Libraries/CMessages"),
    // Country outlines, embedded in the executable.
    .target(
      name: "CCountryOutlines", path: "Sources/Libraries/CCountryOutlines",
      exclude: ["islands.csv", "make_outlines.py", "outlines.bin"]),
    // The pages of clients/web, embedded in the executable.
    .target(name: "CWebAssets", path: "Sources/Libraries/CWebAssets", exclude: ["assets.bin"]),

    module("Domain", in: "Sources"),
    rules("Identity"),
    rules("Sos"),
    rules("Races"),
    rules("Groups"),
    rules("Expenditure"),
    rules("Web"),

    module("Threads", in: "Sources/Libraries", ["CThreads", deque]),
    module("Crypto", in: "Sources/Libraries", ["CSodium"]),
    module("Console", in: "Sources/Libraries"),
    module("Metering", in: "Sources/Libraries", [metrics]),
    module("PrometheusText", in: "Sources/Libraries", ["Metering", metrics]),
    module("Places", in: "Sources/Libraries", ["CCountryOutlines"]),
    module("WebAssets", in: "Sources/Libraries", ["CWebAssets"]),
    module("GPX", in: "Sources/Libraries", ["CExpat", "Domain"]),
    module("Spreadsheets", in: "Sources/Libraries", ["CExpat", "CZip"]),
    module("Postgres", in: "Sources/Libraries", ["CLibPQ", "Threads"]),
    module("Outbound", in: "Sources/Libraries", ["CCurl", "CCurlSupport", "Metering", "Threads"]),
    module("HTTPServer", in: "Sources/Libraries", ["CMicroHTTPD", "CMicroHTTPDSupport", "Threads", deque]),
    module("OpenIDConnect", in: "Sources/Libraries", ["COpenSSL", "Outbound"]),
    module("RPCRuntime", in: "Sources/Libraries", ["CGRPC", "CGRPCSupport", "Threads", deque, heap]),
    module("WireCodec", in: "Sources/Libraries", ["CMessages", "CProtobufC", "Domain"]),
    module("ProtoJSON", in: "Sources/Libraries", ["Domain", "WireCodec"]),
    module("ServiceAPI", in: "Sources/Libraries", ["RPCRuntime", "WireCodec"]),

    module("PaymentGateway", in: "Sources/Areas/Payments", ["Crypto", "Outbound"]),
    module(
      "Emergencies", in: "Sources/Areas/Sos",
      [
        "Domain", "SosRules", "Metering", "Outbound", "Threads", logging, deque, heap, metrics,
      ]),
    module("Log", in: "Sources/Kernel", ["Domain", "Metering", "Postgres", "Threads", logging, deque, metrics]),
    module(
      "ServiceKit", in: "Sources/Kernel",
      [
        "Domain", "RPCRuntime", "WireCodec", "ServiceAPI", "Log", "Metering", "Postgres", "Crypto", "Threads", deque,
      ]),
    module(
      "AreaKit", in: "Sources/Kernel",
      [
        "Domain", "Console", "HTTPServer", "Log", "Metering", "Postgres", "RPCRuntime", "ServiceAPI", "ServiceKit",
        arguments, lifecycle, logging,
      ]),
    area("Notifications", ["Outbound"]),
    area("Identity", ["IdentityRules", "Notifications", "OpenIDConnect", "Outbound"], beside: ["Rules"]),
    area("Payments", ["PaymentGateway", "HTTPServer", "Outbound", "Notifications"], beside: ["PaymentGateway"]),
    area("Sharing", ["IdentityRules", "Notifications", "Identity", "Payments"]),
    area(
      "Readings", ["IdentityRules", "Notifications", "Identity", "Sharing"], sources: ["Service"], beside: ["Bench"]),
    area(
      "Sos", ["SosRules", "Emergencies", "Places", "Outbound", "Notifications", "Identity", "Readings"],
      beside: ["Rules", "Emergencies", "Bench"]),
    area(
      "Races",
      [
        "RacesRules", "SosRules", "Emergencies", "Payments", "GPX", "HTTPServer", "Outbound", "Notifications", "Places",
        "Readings", "Sos",
      ],
      beside: ["Rules", "Bench"]),
    area("Groups", ["GroupsRules", "IdentityRules", "Identity", "Payments", "Sharing"], beside: ["Rules", "Bench"]),
    area("Expenditure", ["ExpenditureRules", "Spreadsheets", "Identity"], beside: ["Rules", "Figures", "Bench"]),
    area(
      "Admin",
      ["IdentityRules", "RacesRules", "SosRules", "Notifications", "Identity", "Readings", "Sos", "Races"],
      sources: ["Service"]),

    area(
      "Web", ["WebRules", "HTTPServer", "ProtoJSON", "WebAssets", "Identity", "OpenIDConnect", "Outbound"],
      sources: ["Service"], beside: ["Rules", "Bench"]),

    module(
      "Counterparts", in: "Sources/Tools",
      [
        "Console", "Crypto", "Emergencies", "HTTPServer", "Log", "Outbound", "PaymentGateway", "RPCRuntime",
        "ServiceAPI",
        "ServiceKit", "SosRules", "Threads", "WireCodec", arguments, lifecycle, logging,
      ]),
    .executableTarget(
      name: "trackme",
      dependencies: [
        "Counterparts",
        "Notifications", "Identity", "Sharing", "Readings", "Sos", "Races", "Groups", "Expenditure", "Admin", "Web",
        "AreaKit", "Console",
        "Crypto",
        "Domain", "Emergencies", "IdentityRules", "HTTPServer", "Log", "Metering", "Outbound", "Payments", "Places",
        "Postgres", "PrometheusText", "RPCRuntime", "RacesRules", "ServiceAPI", "ServiceKit", "SosRules", "WireCodec",
        "Threads", arguments, logging, lifecycle, metrics,
      ], swiftSettings: strict),
    module("BenchKit", in: "Sources/Tools", ["Console", "Postgres", "RPCRuntime", "ServiceAPI", "WireCodec"]),
    bench("Readings"),
    bench("Sos", ["Emergencies", "SosRules"]),
    bench("Races", ["RacesRules"]),
    bench("Groups", ["Groups", "GroupsRules"]),
    bench("Expenditure", ["ExpenditureRules"]),
    bench("Web", ["RacesBench", "ReadingsBench", "ProtoJSON"]),
    // `trackme bench`, which starts servers of its own: built when it is asked for.
    .executableTarget(
      name: "trackme-bench",
      dependencies: [
        "ReadingsBench", "SosBench", "RacesBench", "GroupsBench", "ExpenditureBench", "WebBench", arguments,
      ],
      path: "Sources/Tools/Bench", swiftSettings: strict),
    .executableTarget(
      name: "trackme-generate", dependencies: ["CMessages", "CProtobufC"], path: "Sources/Tools/Generate",
      swiftSettings: strict),
    // For a test that compares JSON with that of another implementation.
    .executableTarget(
      name: "trackme-proto-json", dependencies: ["ProtoJSON", "WireCodec"], path: "Sources/Tools/ProtoJSON",
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    tests("Domain", in: "Tests", ["Domain"]),
    tests("IdentityRules", in: "Tests/Areas/Identity", ["IdentityRules", "Domain"]),
    tests("SosRules", in: "Tests/Areas/Sos", ["SosRules", "Domain"]),
    tests("RacesRules", in: "Tests/Areas/Races", ["RacesRules", "Domain"]),
    tests("GroupsRules", in: "Tests/Areas/Groups", ["GroupsRules", "Domain"]),
    tests("ExpenditureRules", in: "Tests/Areas/Expenditure", ["ExpenditureRules"]),
    tests("WebRules", in: "Tests/Areas/Web", ["WebRules"]),
    tests(
      "Web", in: "Tests/Areas/Web",
      ["AreaKit", "HTTPServer", "ProtoJSON", "RPCRuntime", "Web", "WebRules", "WireCodec"]),
    tests("Threads", in: "Tests/Libraries", ["Threads"]),
    tests("Crypto", in: "Tests/Libraries", ["Crypto"]),
    tests("Places", in: "Tests/Libraries", ["Places"]),
    tests("Console", in: "Tests/Libraries", ["Console"]),
    tests("WebAssets", in: "Tests/Libraries", ["WebAssets"]),
    tests("Metering", in: "Tests/Libraries", ["Metering"]),
    tests("PrometheusText", in: "Tests/Libraries", ["Metering", "PrometheusText", metrics]),
    tests("GPX", in: "Tests/Libraries", ["GPX", "Domain"]),
    tests("Spreadsheets", in: "Tests/Libraries", ["CZip", "Spreadsheets"]),
    tests("Postgres", in: "Tests/Libraries", ["Postgres", "Threads"]),
    tests("Outbound", in: "Tests/Libraries", ["Outbound"]),
    tests("HTTPServer", in: "Tests/Libraries", ["HTTPServer"]),
    tests("OpenIDConnect", in: "Tests/Libraries", ["COpenSSL", "OpenIDConnect", "Outbound"]),
    tests("RPCRuntime", in: "Tests/Libraries", ["CGRPCSupport", "RPCRuntime"]),
    tests("WireCodec", in: "Tests/Libraries", ["WireCodec", "Domain"]),
    tests("ProtoJSON", in: "Tests/Libraries", ["ProtoJSON", "WireCodec"]),
    tests("Generate", in: "Tests/Tools", ["trackme-generate"]),
    tests("PaymentGateway", in: "Tests/Areas/Payments", ["PaymentGateway", "Outbound"]),
    tests(
      "Emergencies", in: "Tests/Areas/Sos", ["Emergencies", "Metering", "SosRules", "Domain", "Outbound", metrics]),
    tests(
      "Log", in: "Tests",
      [
        "trackme", "Domain", "Groups", "GroupsRules", "Identity", "IdentityRules", "Log", "Notifications", "Payments",
        "Postgres", "Races",
        "RacesRules", "Sharing", "Sos", "SosRules",
      ]),
    tests(
      "Services", in: "Tests",
      [
        "trackme", "Admin", "AreaKit", "Domain", "Emergencies", "Expenditure", "GPX", "Groups", "Identity",
        "IdentityRules",
        "HTTPServer",
        "Log",
        "Notifications", "Outbound", "PaymentGateway", "Payments", "Places", "Postgres", "RPCRuntime", "Races",
        "RacesRules", "Readings",
        "ServiceAPI", "ServiceKit", "Sharing", "Sos", "SosRules", "Threads", "WireCodec",
      ]),
  ]
)

// One optimised build serves product and tests: what is tested is what is shipped. Tests reach into modules (`@testable`),
// and are compiled quickly themselves, but for those that compute for minutes where nothing is optimised.
let computing = [
  "Domain", "DomainTests", "GroupsRules", "GroupsRulesTests", "SosRules", "SosRulesTests", "TestSupport",
]
for target in package.targets where target.type != .system {
  var flags: [SwiftSetting] = []
  if target.type != .test { flags.append(.unsafeFlags(["-enable-testing"], .when(configuration: .release))) }
  if computing.contains(target.name) {
    flags.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  } else if target.type == .test {
    flags.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  target.swiftSettings = (target.swiftSettings ?? []) + flags
}
// Nobody reads the warnings of a build that passes.
if Context.environment["CI"] == "true" {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
