import ArgumentParser
import Essentials
import Vestibule

/// `vestibule keys rotate`
struct RotateKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a new key that signs assertions.",
        discussion: """
            It is published at once and signs a day from now; the one before stays published a day longer, so \
            applications notice nothing.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Flag(help: "The new key signs at once, and all others are taken away: somebody else may have them.")
    var compromised = false

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let rotation = try session.keyRotation()
            let key = compromised ? try await rotation.replace() : try await rotation.rotate()
            guard let key else {
                throw CommandFailure(
                    .failed, "a new key waits already",
                    hint: "`vestibule keys list` tells from when it signs; --compromised does not wait.")
            }
            try await report(key, rotation)
        }
    }

    private func report(_ key: StoredSigningKey, _ rotation: KeyRotation) async throws {
        let output = Output()
        if options.json {
            let entry = try await rotation.list().first { $0.key.id == key.id }
            if let entry { try output.json(KeyRow(entry)) }
        } else {
            try output.line("key \(key.id) signs from \(key.signsFrom.utc) UTC")
        }
        try output.flush()
    }
}
