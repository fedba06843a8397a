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
        .executableTarget(
            name: "bare", dependencies: [.product(name: "Hummingbird", package: "hummingbird")], swiftSettings: strict)
    ]
)
