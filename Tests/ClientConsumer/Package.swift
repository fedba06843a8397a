// swift-tools-version: 6.3
import PackageDescription

// The first program of docs/swift.md, and the views of docs/examples/ios with stand-ins for what
// only Apple's systems have: scripts/consumer makes the repository that they depend on.
let client: Target.Dependency = .product(name: "VestibuleClient", package: "vestibule")

let package = Package(
    name: "greet",
    platforms: [.macOS(.v14)],
    dependencies: [.package(url: "../../.build/consumer/vestibule", from: "1.0.0", traits: [])],
    targets: [
        .executableTarget(name: "greet", dependencies: [client]),
        .target(name: "SwiftUI"),
        .target(name: "Door", dependencies: ["SwiftUI", client]),
    ]
)
