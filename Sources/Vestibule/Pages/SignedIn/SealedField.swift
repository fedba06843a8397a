import Essentials
import Foundation

/// What a form carries for itself in a hidden field, sealed: it opens for the session it was made
/// for, for half an hour.
struct SealedField<Content: Codable & Sendable>: Sendable {
    let name: String
    let key: SecretKey
    let now: @Sendable () -> Date

    /// Seconds.
    static var lifetime: TimeInterval { 1800 }

    private func use(_ record: SessionRecord) -> SealedUse {
        .form(name: name, session: record.sessionID.rawValue)
    }

    private struct Sealed: Codable {
        let accountID: AccountID
        let expiresAt: Date
        let content: Content
    }

    func seal(_ content: Content, for record: SessionRecord) throws -> String {
        let expiresAt = now().addingTimeInterval(Self.lifetime)
        return try key.sealedText(
            Sealed(accountID: record.accountID, expiresAt: expiresAt, content: content), for: use(record))
    }

    /// Returns nil if it was changed, is another session's, or is too old.
    func open(_ text: String, for record: SessionRecord) -> Content? {
        guard let sealed = key.opened(text, for: use(record), as: Sealed.self),
            sealed.accountID == record.accountID, now() < sealed.expiresAt
        else { return nil }
        return sealed.content
    }
}
