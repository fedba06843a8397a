// swift-tools-version: 6.3
import PackageDescription

let door: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "VestibuleHummingbird", package: "vestibule"),
    .product(name: "VestibuleVerifier", package: "vestibule"),
]

let package = Package(
    name: "notes",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        // Elsewhere: the address of Vestibule's repository, and from which version.
        .package(name: "vestibule", path: "../../.."),
    ],
    targets: [
        .executableTarget(name: "notes", dependencies: door, path: "Sources/Notes"),
        // The program of docs/swift.md.
        .executableTarget(name: "hello", dependencies: door, path: "Sources/Hello"),
    ]
)
