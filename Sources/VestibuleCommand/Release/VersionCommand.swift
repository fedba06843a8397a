import ArgumentParser
import Foundation
import Serving

/// `vestibule version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version, or check a file of a release.",
        discussion: """
            A file is checked against SHA256SUMS and SHA256SUMS.sig beside it, and these with the public key of --key, or \
            release.pub as it was installed with this program. A key from where the file came from proves nothing.
            """
    )

    @Option(help: ArgumentHelp("Check this file of a release.", valueName: "file"))
    var check: String?
    @Option(help: ArgumentHelp("The public key of releases, as signify writes it.", valueName: "key-file"))
    var key: String?

    func validate() throws {
        guard key == nil || check != nil else { throw ValidationError("--key goes with --check FILE.") }
    }

    func run() throws {
        guard let check else { return try Output.print(ProgramVersion.current) }
        let file = ReleaseFile(path: check)
        let key = try publicKey()
        try file.check(key)
        try Output.print("\(file.name) is genuine: SHA256SUMS names it, and key \(key.id) has signed SHA256SUMS.")
    }

    /// That of the option, or else the one that came with this program.
    private func publicKey() throws -> ReleaseKey {
        if let key { return try ReleaseKey(file: key) }
        let installed = Wiring.installedResources.map { $0.places[0] + "/release.pub" }
        guard let installed, FileManager.default.fileExists(atPath: installed) else {
            throw CommandFailure(
                "\(check ?? "") was not checked: there is no public key to check it with",
                hint: "Name the key with --key, from a place that you trust: sums without a signature only show that "
                    + "nothing broke on the way.")
        }
        return try ReleaseKey(file: installed)
    }
}
