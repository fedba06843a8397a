import Essentials
import Foundation

/// Gives out, recognises and revokes machine tokens.
package struct MachineTokens: Sendable {
    let store: any MachineTokenStore
    let author: Operator
    /// In seconds. A use is written at most this often.
    private static let touchInterval: TimeInterval = 60

    package init(store: any MachineTokenStore, author: Operator = Operator()) {
        (self.store, self.author) = (store, author)
    }

    /// The token behind what a machine sent. Returns nil if it is unknown, revoked, expired or of
    /// another application.
    func identify(_ presented: String, application: String) async throws -> MachineToken? {
        guard let secret = MachineTokenSecret(presented: presented),
            let token = try await store.machineToken(secret.digest)
        else { return nil }
        let now = author.now()
        guard token.application.isExactly(application), token.isAlive(at: now) else { return nil }
        if now.timeIntervalSince(token.lastUsedAt ?? .distantPast) >= Self.touchInterval {
            _ = try await StoreUnavailable.exceptFullDisk {
                try await store.touchMachineToken(id: token.id, at: now)
            }
        }
        return token
    }

    /// Makes a token. Its secret is not kept.
    package func create(
        for application: ProtectedApplication, label: Label, lifetime: Duration?
    ) async throws -> (token: MachineToken, secret: MachineTokenSecret) {
        let secret = MachineTokenSecret(from: author.random)
        let now = author.now()
        let token = MachineToken(
            id: author.random.id(), application: application.name, label: label.text, createdAt: now,
            expiresAt: lifetime.map { now.addingTimeInterval($0.seconds) })
        try await store.addMachineToken(token, digest: secret.digest, event: author.event(.machineTokenCreated))
        return (token, secret)
    }

    /// The token opens nothing from now on. Returns false if there is none of that id.
    package func revoke(id: String) async throws -> Bool {
        try await store.revokeMachineToken(id: id, event: author.event(.machineTokenRevoked))
    }

    /// What a token is called: 1 to 100 scalars that can be shown.
    package struct Label: Sendable, Equatable {
        let text: String

        /// Returns nil if it is empty, too long or cannot be shown.
        package init?(_ typed: String) {
            guard typed.utf8.count <= 1024 else { return nil }
            let label = typed.trimmedAndComposed
            guard (1...100).contains(label.unicodeScalars.count), label.isShowable else { return nil }
            text = label
        }
    }
}

extension SecurityEvent.Kind {
    static let machineTokenCreated = Self("machine_token_created", log: "authn_token_created")
    static let machineTokenRevoked = Self("machine_token_revoked", log: "authn_token_revoked")
}
