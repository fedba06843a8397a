// swift-tools-version: 6.1
import AppleProductTypes
import PackageDescription

let package = Package(
    name: "Door",
    platforms: [.iOS(.v17)],
    products: [
        .iOSApplication(
            name: "Door", targets: ["Door"], bundleIdentifier: "com.example.door", displayVersion: "1.0",
            bundleVersion: "1", appIcon: .placeholder(icon: .box), accentColor: .presetColor(.blue),
            supportedDeviceFamilies: [.phone, .pad], supportedInterfaceOrientations: [.portrait, .landscapeLeft],
            additionalInfoPlistContentFilePath: "Info.plist")
    ],
    dependencies: [.package(name: "vestibule", path: "../../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Door", dependencies: [.product(name: "VestibuleClient", package: "vestibule")], path: "Sources")
    ]
)
