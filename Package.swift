// swift-tools-version: 6.2
import PackageDescription

// One direction: C wrappers, then Domain and the runtimes over C, then Storage, then Services, then the executable.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]

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
    .systemLibrary(name: "CGRPC", path: "Sources/CGRPC"),
    .systemLibrary(name: "CProtobufC", path: "Sources/CProtobufC", pkgConfig: "libprotobuf-c"),
    .systemLibrary(name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq"),
    .systemLibrary(name: "CSodium", path: "Sources/CSodium", pkgConfig: "libsodium"),
    .systemLibrary(name: "COpenSSL", path: "Sources/COpenSSL", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CCurl", path: "Sources/CCurl", pkgConfig: "libcurl"),
    .systemLibrary(name: "CExpat", path: "Sources/CExpat", pkgConfig: "expat"),
    .target(name: "CGRPCSupport", dependencies: ["CGRPC"]),
    .target(name: "CCurlSupport", dependencies: ["CCurl"]),
    .target(name: "CMessages", dependencies: ["CProtobufC"]),
    // Country outlines, embedded in the executable.
    .target(name: "CCountryOutlines", exclude: ["islands.csv", "make_outlines.py", "outlines.bin"]),
    .target(name: "Places", dependencies: ["CCountryOutlines"], swiftSettings: strict),

    .target(name: "Domain", swiftSettings: strict),
    .target(
      name: "RPCRuntime",
      dependencies: [
        "CGRPC", "CGRPCSupport", "Threads", .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "WireCodec", dependencies: ["CMessages", "CProtobufC", "Domain"], swiftSettings: strict),
    .target(name: "ServiceAPI", dependencies: ["RPCRuntime", "WireCodec"], swiftSettings: strict),
    .systemLibrary(name: "CThreads", path: "Sources/CThreads"),
    .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: strict),
    .target(
      name: "Postgres",
      dependencies: ["CLibPQ", "Threads"], swiftSettings: strict),
    .target(name: "Outbound", dependencies: ["CCurl", "CCurlSupport", "Threads"], swiftSettings: strict),
    .target(name: "Inbound", dependencies: ["Threads"], swiftSettings: strict),
    .target(name: "Crypto", dependencies: ["CSodium"], swiftSettings: strict),
    .target(name: "Payments", dependencies: ["Crypto", "Outbound"], swiftSettings: strict),
    .target(
      name: "Emergencies",
      dependencies: [
        "Domain", "Outbound", "Threads", .product(name: "Logging", package: "swift-log"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "OpenIDConnect", dependencies: ["COpenSSL", "Outbound"], swiftSettings: strict),
    .target(name: "GPX", dependencies: ["CExpat", "Domain"], swiftSettings: strict),
    .target(
      name: "Storage",
      dependencies: [
        "Domain", "Postgres", "Threads", .product(name: "Logging", package: "swift-log"),
        .product(name: "DequeModule", package: "swift-collections"),
      ], swiftSettings: strict),
    .target(
      name: "Services",
      dependencies: [
        "Domain", "GPX", "RPCRuntime", "WireCodec", "ServiceAPI", "Storage", "Postgres", "Outbound",
        "Crypto", "OpenIDConnect", "Emergencies", "Inbound", "Payments", "Threads",
        .product(name: "DequeModule", package: "swift-collections"),
      ], swiftSettings: strict),
    .target(name: "Console", swiftSettings: strict),
    .executableTarget(
      name: "trackme",
      dependencies: [
        "Console", "Domain", "RPCRuntime", "WireCodec", "ServiceAPI", "Postgres", "Storage", "Inbound", "Outbound",
        "Payments", "OpenIDConnect", "Emergencies", "Places", "Services", "Threads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    // `trackme bench`, which starts servers of its own: built when it is asked for.
    .executableTarget(
      name: "trackme-bench",
      dependencies: [
        "Console", "Domain", "Emergencies", "Postgres", "RPCRuntime", "ServiceAPI", "Storage", "Threads",
        "WireCodec",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(name: "trackme-generate", dependencies: ["CMessages", "CProtobufC"], swiftSettings: strict),

    .testTarget(name: "DomainTests", dependencies: ["Domain"]),
    .testTarget(name: "GPXTests", dependencies: ["GPX", "Domain"]),
    .testTarget(name: "RPCRuntimeTests", dependencies: ["RPCRuntime"]),
    .testTarget(name: "WireCodecTests", dependencies: ["WireCodec", "Domain"]),
    .testTarget(name: "OutboundTests", dependencies: ["Outbound"]),
    .testTarget(name: "InboundTests", dependencies: ["Inbound"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto"]),
    .testTarget(name: "PaymentsTests", dependencies: ["Payments", "Outbound"]),
    .testTarget(name: "PlacesTests", dependencies: ["Places"]),
    .testTarget(name: "EmergenciesTests", dependencies: ["Emergencies", "Domain", "Outbound"]),
    .testTarget(name: "OpenIDConnectTests", dependencies: ["COpenSSL", "OpenIDConnect", "Outbound"]),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
    .testTarget(name: "PostgresTests", dependencies: ["Postgres", "Threads"]),
    .testTarget(name: "StorageTests", dependencies: ["Storage", "Postgres", "Domain"]),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "GPX", "Services", "ServiceAPI", "RPCRuntime", "WireCodec", "Storage", "Postgres", "Inbound", "Outbound",
        "Payments", "Emergencies", "Places", "Domain", "Threads",
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
