// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Of a module that others call for every request: in release builds its generic functions are
/// specialised there. Without, no `package` function is ever more than called.
let inlined: [SwiftSetting] = [.unsafeFlags(["-enable-cmo-everything"], .when(configuration: .release))]

/// Of a module that works on text, byte by byte, also while a server starts: in debug builds, too,
/// where that would take several times as long.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A product of another package, which the server needs. Packages that depend on `VestibuleClient`
/// alone say `traits: []`: then none is fetched.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let hummingbird = server("Hummingbird", "hummingbird")
let hummingbirdTesting = server("HummingbirdTesting", "hummingbird")
let mustache = server("Mustache", "swift-mustache")
let grdb = server("GRDB", "GRDB.swift")
let crypto = server("Crypto", "swift-crypto")
let cryptoExtras = server("CryptoExtras", "swift-crypto")
let argumentParser = server("ArgumentParser", "swift-argument-parser")
let logging = server("Logging", "swift-log")
let lifecycle = server("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = server("UnixSignals", "swift-service-lifecycle")
let httpTypes = server("HTTPTypes", "swift-http-types")
let nioCore = server("NIOCore", "swift-nio")
let nioHTTP1 = server("NIOHTTP1", "swift-nio")
let nioPosix = server("NIOPosix", "swift-nio")
let asyncAlgorithms = server("AsyncAlgorithms", "swift-async-algorithms")
let nioEmbedded = server("NIOEmbedded", "swift-nio")
let jwtKit = server("JWTKit", "jwt-kit")
let nioHTTPTypes = server("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = server("NIOHTTPTypesHTTP1", "swift-nio-extras")

let package = Package(
    name: "vestibule",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .executable(name: "vestibule", targets: ["VestibuleCommand"]),
        .library(name: "VestibuleClient", targets: ["VestibuleClient"]),
        .library(name: "VestibuleClientStub", targets: ["VestibuleClientStub"]),
        .library(name: "WebAuthn", targets: ["WebAuthn"]),
        .library(name: "PasswordHashing", targets: ["PasswordHashing"]),
        .library(name: "VestibuleVerifier", targets: ["VestibuleVerifier"]),
        .library(name: "VestibuleHummingbird", targets: ["VestibuleHummingbird"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "Everything but the client: what needs other packages."),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
    ],
    targets: [
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        // Optimised in debug builds, too: without, it would be many times slower than libargon2.
        .target(name: "CArgon2Kernel", cSettings: [.unsafeFlags(["-O2"])]),
        .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        .target(name: "CLoading"),
        .target(name: "CCurl", dependencies: ["CLoading"]),
        .target(name: "CFido2", dependencies: ["CLoading"]),
        .target(name: "CQREncode", dependencies: ["CLoading"]),
        .target(name: "CLibPQ", dependencies: ["CLoading"]),
        .target(name: "CMemory"),
        .target(name: "CVersion"),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "VestibuleClient", swiftSettings: strict),
        .target(name: "VestibuleClientStub", dependencies: ["VestibuleClient"], swiftSettings: strict),
        // No C, no NIO, no other package: what the products for other programs stand on.
        .target(name: "Bytes", swiftSettings: strict + inlined + optimised),
        .target(
            name: "Essentials",
            dependencies: ["Bytes", "CCurl", "CIDN2", "CMemory", "COpenSSL", crypto, nioCore, nioPosix],
            swiftSettings: strict + inlined + optimised
        ),
        .target(
            name: "PasswordHashing",
            dependencies: ["Bytes", "CArgon2", "CArgon2Kernel", "CZxcvbn", "CCrypt", "COpenSSL", crypto, logging],
            swiftSettings: strict
        ),
        .target(
            name: "WebAuthn", dependencies: ["Bytes", "CFido2", crypto, cryptoExtras], swiftSettings: strict),
        .target(name: "VestibuleVerifier", dependencies: ["Bytes", jwtKit], swiftSettings: strict),
        .target(
            name: "VestibuleHummingbird",
            dependencies: ["Bytes", "VestibuleVerifier", hummingbird, httpTypes, logging],
            swiftSettings: strict),
        .target(name: "Mailing", dependencies: ["Essentials", "CCurl", nioPosix], swiftSettings: strict),
        .target(
            name: "Serving",
            dependencies: [
                "Essentials", hummingbird, mustache, crypto, logging, lifecycle, httpTypes, nioCore, nioHTTP1, nioPosix,
                nioHTTPTypes, nioHTTPTypesHTTP1,
            ],
            swiftSettings: strict + optimised
        ),
        .target(
            name: "Vestibule",
            dependencies: [
                "Essentials", "PasswordHashing", "Mailing", "Serving", "WebAuthn", "CCurl", "CQREncode",
                hummingbird, mustache, crypto, cryptoExtras, jwtKit, logging, lifecycle, httpTypes,
                nioCore, nioHTTP1, nioPosix, nioHTTPTypes, nioHTTPTypesHTTP1, asyncAlgorithms,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "VestibuleSQL", dependencies: ["Essentials", "PasswordHashing", "Vestibule"],
            swiftSettings: strict),
        .target(
            name: "VestibuleSQLite",
            dependencies: ["Essentials", "PasswordHashing", "Vestibule", "VestibuleSQL", grdb, nioPosix],
            swiftSettings: strict),
        .target(
            name: "VestibulePostgres",
            dependencies: ["Essentials", "PasswordHashing", "Vestibule", "VestibuleSQL", "CLibPQ", nioPosix],
            swiftSettings: strict),
        .executableTarget(
            name: "VestibuleCommand",
            dependencies: [
                "Bytes", "Essentials", "PasswordHashing", "Mailing", "Serving", "Vestibule", "VestibuleSQLite",
                "VestibulePostgres", "CCurl", "CVersion",
                argumentParser, crypto,
                httpTypes, hummingbird, lifecycle, unixSignals,
                logging, nioCore, nioHTTPTypes,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "lookups",
            dependencies: ["Essentials", "Vestibule", "VestibuleSQLite", "VestibulePostgres", crypto],
            path: "Benchmarks/Lookups",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "hashes", dependencies: ["Essentials", "PasswordHashing", nioPosix], path: "Benchmarks/Hashes",
            swiftSettings: strict),
        .executableTarget(
            name: "verifications", dependencies: ["VestibuleVerifier", jwtKit], path: "Benchmarks/Verifications",
            swiftSettings: strict),
        .executableTarget(
            name: "signatures", dependencies: ["Essentials", crypto, cryptoExtras], path: "Benchmarks/Signatures",
            swiftSettings: strict),
        .target(
            name: "KernelComparison", dependencies: ["CArgon2", "CArgon2Kernel"], path: "Tests/KernelComparison",
            exclude: ["main.c"], cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("argon2")]
        ),
        .target(
            name: "TestSupport", dependencies: ["Essentials", "Mailing", crypto, logging], path: "Tests/TestSupport",
            exclude: ["postgres_server.py", "smtp_server.py"], swiftSettings: strict
        ),
        .target(
            name: "StoreSupport", dependencies: ["Vestibule", "VestibulePostgres", "TestSupport"],
            path: "Tests/StoreSupport", swiftSettings: strict),
        .target(
            name: "VerifierSupport", dependencies: ["Bytes", "VestibuleVerifier", crypto],
            path: "Tests/VerifierSupport", swiftSettings: strict),
        .testTarget(
            name: "VestibuleClientTests",
            dependencies: ["VestibuleClient", "VestibuleClientStub", "TestSupport", crypto],
            swiftSettings: strict),
        .testTarget(name: "BytesTests", dependencies: ["Bytes"], swiftSettings: strict),
        .testTarget(name: "EssentialsTests", dependencies: ["Essentials", crypto], swiftSettings: strict),
        .testTarget(
            name: "PasswordHashingTests",
            dependencies: ["Bytes", "PasswordHashing", "KernelComparison", "TestSupport", logging],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebAuthnTests", dependencies: ["Bytes", "WebAuthn", "TestSupport", crypto],
            exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "VestibuleVerifierTests",
            dependencies: [
                "Bytes", "VestibuleVerifier", "VerifierSupport",
                hummingbird, hummingbirdTesting, httpTypes, crypto, logging, nioCore,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "VestibuleHummingbirdTests",
            dependencies: [
                "VestibuleVerifier", "VestibuleHummingbird", "VerifierSupport",
                hummingbird, hummingbirdTesting, httpTypes, logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MailingTests", dependencies: ["Essentials", "Mailing", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ServingTests",
            dependencies: [
                "Essentials", "Serving", "TestSupport", hummingbird, httpTypes, logging, nioCore, nioEmbedded, nioHTTP1,
                nioHTTPTypes,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "VestibuleTests",
            dependencies: [
                "Essentials", "PasswordHashing", "Mailing", "Serving", "Vestibule", "VestibuleSQL", "VestibuleSQLite",
                "StoreSupport", "TestSupport", "KernelComparison",
                hummingbird, hummingbirdTesting, httpTypes, crypto, cryptoExtras,
                logging, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Essentials", "PasswordHashing", "Mailing", "Serving", "Vestibule", "VestibuleSQL", "VestibuleSQLite",
                "VestibulePostgres", "StoreSupport", "TestSupport",
                grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Essentials", "PasswordHashing", "Mailing", "Serving", "Vestibule", "VestibuleSQL", "VestibuleSQLite",
                "VestibulePostgres", "TestSupport",
                crypto,
            ],
            swiftSettings: strict),
    ]
)
