import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "See and replace the keys that sign assertions and ID tokens for applications.",
        subcommands: [ListKeys.self, RotateKeys.self]
    )
}

struct ListKeys: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that sign assertions and ID tokens, in the order in which they sign.",
        discussion: "There is none before the first token or the first look at /.well-known/jwks.json."
    )

    @OptionGroup var options: OperatorOptions

    func run(_ session: OperatorSession) async throws {
        try session.list(try await session.keyRotation().listAll())
    }
}

struct RotateKeys: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make a new key of each algorithm that is in use.",
        discussion: """
            It is published at once and signs a day from now; the one before stays published a day longer, so \
            applications notice nothing.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Flag(help: "The new key signs at once, and all others are taken away: somebody else may have them.")
    var compromised = false

    func run(_ session: OperatorSession) async throws {
        let rotation = try await session.keyRotation()
        if !compromised { try await Self.refuseUnreadable(rotation) }
        var made: [StoredSigningKey] = []
        for algorithm in try await rotation.algorithms() {
            let key = compromised ? try await rotation.replace(algorithm) : try await rotation.rotate(algorithm)
            if let key { made.append(key) }
        }
        guard !made.isEmpty else {
            throw CommandFailure(
                "a new key waits already",
                hint: "`vestibule keys list` tells from when it signs; --compromised does not wait.")
        }
        for key in made {
            let entry = try await rotation.list(key.algorithm).first { $0.key.id == key.id }
            try session.print(entry?.json ?? [:], "key \(key.id) signs from \(key.signsFrom.utc) UTC")
        }
        if compromised, !options.json {
            Output.note("Wait a minute, then restart the applications: until then they may read the old key again.")
        }
    }
}

extension RotateKeys {
    /// Throws `CommandFailure` where the secret key is not the one that the servers have: they
    /// could not open the new key.
    private static func refuseUnreadable(_ rotation: KeyRotation) async throws {
        let keys = try await rotation.listAll()
        guard keys.contains(where: { !$0.opens && [.signing, .waiting].contains($0.state) }) else { return }
        throw CommandFailure(
            "a key that signs for applications cannot be opened with the secret key",
            hint: "Put the former key into VESTIBULE_SECRET_KEY_PREVIOUS; if that key is lost, "
                + "`vestibule keys rotate --compromised` makes new ones.")
    }
}

/// Nothing of a signing key that is listed is secret.
extension KeyRotation.Entry: Listed {
    static let columns: [Column<Self>] = [
        Column("ID", "id") { $0.key.id }, Column("ALGORITHM", "algorithm") { $0.key.algorithm.rawValue },
        Column("STATE", "state") { $0.stateName },
        Column("CREATED (UTC)", "created_at") { $0.key.createdAt },
        Column("SIGNS FROM", "signs_from") { $0.key.signsFrom },
        Column("PUBLISHED UNTIL", "published_until") { $0.publishedUntil },
    ]

    /// `unreadable` without the secret key that has sealed it.
    private var stateName: String {
        guard opens else { return "unreadable" }
        return switch state {
        case .waiting: "waiting"
        case .signing: "signing"
        case .retired: "retired"
        case .over: "over"
        }
    }

    /// Of a key that signs no more.
    private var publishedUntil: Date? {
        if case .retired(let end) = state { end } else { nil }
    }
}
