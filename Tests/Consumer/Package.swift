// swift-tools-version: 6.3
import PackageDescription

// Somebody else's package: scripts/consumer makes the repository that it depends on.
let package = Package(
    name: "consumer",
    dependencies: [.package(url: "../../.build/consumer/vestibule", from: "1.0.0")],
    targets: [
        .testTarget(
            name: "ConsumerTests",
            dependencies: [
                .product(name: "PasswordHashing", package: "vestibule"),
                .product(name: "WebAuthn", package: "vestibule"),
            ])
    ]
)
