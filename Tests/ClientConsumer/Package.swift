// swift-tools-version: 6.3
import PackageDescription

// The first program of docs/swift.md: scripts/consumer makes the repository that it depends on.
let package = Package(
    name: "greet",
    platforms: [.macOS(.v14)],
    dependencies: [.package(url: "../../.build/consumer/vestibule", from: "1.0.0", traits: [])],
    targets: [
        .executableTarget(
            name: "greet", dependencies: [.product(name: "VestibuleClient", package: "vestibule")])
    ]
)
