// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// A package of its own, so that nobody who serves pages builds what pages are compared with.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: [])
    ],
    targets: [
        .systemLibrary(
            name: "CArgon2", path: "Sources/CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .executableTarget(
            name: "bare",
            dependencies: ["CArgon2", .product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: strict
        ),
    ]
)
