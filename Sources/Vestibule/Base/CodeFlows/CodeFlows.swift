import Essentials
import Foundation
import Logging

/// Flows that prove a mailbox by a code: how they begin, how another code is sent, and whether a
/// typed one may be tried. What a right code does is the feature's.
struct CodeFlows: Sendable {
    /// A flow outlives its code, so that a late visitor can have another one sent. Seconds.
    static let lifetime: TimeInterval = 3600

    let codes: Codes
    let store: any CodeStore & CredentialStore
    let limits: RateLimits
    let browsers: KnownBrowsers
    let passwords: NewPasswords
    let audit: Audit
    let key: SecretKey
    let now: @Sendable () -> Date

    /// Begins a flow. `isKnown` and `failuresInARow` decide how long its code is.
    func begin(
        _ email: EmailAddress, _ limit: ShortCodeLimit, isKnown: Bool, failuresInARow: Int = 0
    ) async throws -> NewCodeFlow {
        let length = try await length(limit, isKnown: isKnown, failuresInARow: failuresInARow)
        return codes.begin(email, length, endsAt: now().addingTimeInterval(Self.lifetime))
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended or has no attempts left.
    func renew(
        _ kind: CodeFlowKind, _ pending: PendingCode, _ limit: ShortCodeLimit, isKnown: Bool, failuresInARow: Int = 0,
        mail: (MailedCode) throws -> CodeMail
    ) async throws -> Bool {
        let code = codes.code(try await length(limit, isKnown: isKnown, failuresInARow: failuresInARow))
        let digest = codes.digest(code, flow: pending.flow)
        let renewal = CodeRenewal(
            flow: pending.flow, digest: digest, codeExpiresAt: codes.expiry, mail: try mail(MailedCode(code, digest)),
            earlierMail: pending.digest.mailID)
        return try await store.renewCode(renewal, of: kind, now: now())
    }

    func record(_ email: EmailAddress) async throws -> LoginRecord {
        try await store.loginRecord(emailKey: email.key, failuresKey: key.failuresKey(email))
    }

    /// Long for a browser that is not known once too many wrong ones were typed. Whether the
    /// address has an account makes no difference to its owner's mail.
    private func length(_ limit: ShortCodeLimit, isKnown: Bool, failuresInARow: Int) async throws -> Code.Length {
        let site = try await store.wrongCodes(now: now())
        return isKnown || limit.admits(site: site, inARow: failuresInARow) ? .short : .long
    }
}

extension SecurityEvent.Kind {
    /// A wrong code: of a sign-up, a reset or a new address.
    static let codeFailed = Self("code_failed", log: "authn_code_fail", .warning)
}
