package import Essentials
package import Foundation

/// The store's part of forms that wait for a proof.
package protocol HeldFormStore: Sendable {
    /// Keeps a form. Of a session's forms the ten newest stay. Throws `Superseded`.
    func hold(_ form: HeldForm) async throws
    /// The form, which is then gone. Returns nil if it is unknown, of another session or too old.
    func takeHeldForm(_ digest: TokenDigest, sessionID: SessionID, now: Date) async throws -> [UInt8]?
}

/// A form that was sent without a recent proof, sealed.
package struct HeldForm: Sendable {
    /// How many a session may have.
    package static let mostPerSession = 10
    /// In seconds.
    static let lifetime: TimeInterval = 600

    package let digest: TokenDigest
    package let session: PresentedSession
    package let sealed: [UInt8]
    package let expiresAt: Date
}
