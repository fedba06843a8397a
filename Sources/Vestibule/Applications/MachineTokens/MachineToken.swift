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

    package func isAlive(at now: Date) -> Bool {
        expiresAt.map { now < $0 } ?? true
    }
}
