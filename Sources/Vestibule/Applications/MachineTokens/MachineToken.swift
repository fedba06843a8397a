package import Essentials
package import Foundation

/// What lets a script or a service into one application, in the place of a person's session.
package struct MachineToken: Sendable, Equatable {
    /// Names the token in listings and assertions; opens nothing.
    package let id: String
    /// The name of the application in the settings.
    package let application: String
    /// What the operator calls it.
    package let label: String
    package let createdAt: Date
    /// Nil if it is good until it is revoked.
    package let expiresAt: Date?
    /// Up to a minute older than the last use. Nil before the first.
    package let lastUsedAt: Date?

    package init(
        id: String, application: String, label: String, createdAt: Date, expiresAt: Date?, lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.application = application
        self.label = label
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    /// Who it is to applications.
    var subject: String { "token:\(id)" }

    func isAlive(at now: Date) -> Bool {
        expiresAt.map { now < $0 } ?? true
    }
}

/// The text of a machine token: a prefix that programs which look for leaked secrets can find, and
/// 256 random bits. Only its digest is stored.
package struct MachineTokenSecret: Secret, Sendable {
    package static let prefix = "vestibule_"

    /// What the machine sends.
    package let text: String
    let digest: TokenDigest

    init(from random: Randomness) {
        self.init(Token(from: random))
    }

    /// A token that came back. Returns nil if it cannot be one that was given out.
    init?(presented: String) {
        guard let rest = presented.after(Self.prefix), let token = Token(presented: String(rest)) else { return nil }
        self.init(token)
    }

    private init(_ token: Token) {
        text = Self.prefix + token.text
        digest = token.digest
    }
}

/// The store's part of machine tokens.
package protocol MachineTokenStore: Sendable {
    func addMachineToken(_ token: MachineToken, digest: TokenDigest, event: SecurityEvent) async throws
    /// Returns nil if it is unknown or revoked. It may have expired.
    func machineToken(_ digest: TokenDigest) async throws -> MachineToken?
    /// Of one application or of all, expired ones included, newest first.
    func machineTokens(application: String?) async throws -> [MachineToken]
    /// Notes that a token was used. Need not survive a power cut.
    func touchMachineToken(id: String, at now: Date) async throws
    /// Returns false, and keeps no event, if there is no such token.
    func revokeMachineToken(id: String, event: SecurityEvent) async throws -> Bool
}
