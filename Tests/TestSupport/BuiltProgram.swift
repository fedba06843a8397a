package import Foundation

/// The program that tests start.
package enum BuiltProgram {
    /// The checkout.
    package static let repository = (1...3).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// `PROGRAM_UNDER_TEST`; else the debug build beside the test bundle, or where `swift build`
    /// puts it.
    package static let executable: URL = {
        if let path = ProcessInfo.processInfo.environment["PROGRAM_UNDER_TEST"] { return URL(filePath: path) }
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "vestibule")
        guard !FileManager.default.isExecutableFile(atPath: beside.path) else { return beside }
        return repository.appending(path: ".build/debug/vestibule")
    }()
}
