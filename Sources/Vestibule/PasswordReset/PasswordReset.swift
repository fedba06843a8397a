package import Essentials
import Foundation
import Serving

/// A forgotten password: a code by mail, then a new password. The same answers and the same work for every address.
package struct PasswordReset: Sendable {
    let needs: Needs
    private static let flowLifetime: TimeInterval = 3600

    /// What was typed with the code.
    package struct Form: Sendable {
        package var code: String
        package var password: String
        /// `nil` where nobody was asked to repeat it.
        package var passwordConfirmation: String?

        package init(code: String, password: String, passwordConfirmation: String?) {
            self.code = code
            self.password = password
            self.passwordConfirmation = passwordConfirmation
        }
    }

    /// Asks for a code. Changes nothing about an account. Throws `Refusals` for what is no address, and `.limited`.
    package func request(
        _ typed: String, returnTo: String? = nil, replaces: Token?, visitor: Visitor
    ) async throws -> Token {
        guard let email = EmailAddress(typed) else {
            throw Refusals([typed.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid])
        }
        let subject = try await needs.browsers.subject(visitor, email: email)
        let now = needs.now()
        try await needs.limits.take(needs.limits.claims(.reset, subject) + mailClaims(subject), now: now)
        let flow = Token(from: needs.random)
        let record = try await record(email.key)
        let code = try await needs.codes.make(
            .account, isKnown: subject.device != nil, failuresInARow: record.failuresInARow)
        let pending = PendingReset(
            flow, code, email, lifetime: Self.flowLifetime, locale: visitor.locale, key: needs.secretKey, now: now,
            codeExpiresAt: needs.codes.expiry, returnTo: needs.returnTo.granted(returnTo))
        try await needs.store.addPendingReset(
            pending, replaces: replaces?.digest,
            mail: mail(code, to: record.account?.email ?? email.typed, locale: visitor.locale)
        )
        return flow
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow has ended.
    package func resend(_ pending: PendingReset, visitor: Visitor) async throws -> Bool {
        let now = needs.now()
        var isKnown = false
        if let email = EmailAddress(pending.email) {
            let subject = try await needs.browsers.subject(visitor, email: email)
            isKnown = subject.device != nil
            try await needs.limits.take(isKnown ? needs.limits.claims(.reset, subject) : mailClaims(subject), now: now)
        }
        let record = try await record(pending.emailKey)
        let code = try await needs.codes.make(
            .account, isKnown: isKnown || pending.isMailed, failuresInARow: record.failuresInARow)
        return try await needs.store.renewResetCode(
            flow: pending.flow, code: needs.codes.digest(code, flow: pending.flow),
            codeExpiresAt: needs.codes.expiry,
            mail: mail(code, to: record.account?.email ?? pending.email, locale: pending.locale), now: now
        )
    }

    /// The pending reset of this browser. A proof ends as codes do; then another code is needed.
    package func pending(_ flow: Token?) async throws -> PendingReset? {
        guard let flow else { return nil }
        var pending = try await needs.store.pendingReset(flow: flow.digest, now: needs.now())
        if let found = pending, !isAlive(found) { pending?.isProved = false }
        return pending
    }

    /// Whether its code may still be right.
    func isAlive(_ pending: PendingReset) -> Bool {
        needs.codes.isAlive(until: pending.codeExpiresAt)
    }

    /// A known browser is held by its own limit: a flood that uses up everybody's mails keeps no owner out.
    private func mailClaims(_ subject: LimitSubject) -> [LimitClaim] {
        subject.device == nil ? needs.limits.claims(.mail, subject) : []
    }

    /// Who has the address, and how its owner wrote it: some hosts tell upper from lower case.
    func record(_ emailKey: String) async throws -> LoginRecord {
        try await needs.store.loginRecord(emailKey: emailKey, failuresKey: needs.secretKey.failuresKey(emailKey))
    }

    private func mail(_ code: Code, to: String, locale: String) throws -> QueuedMail {
        try needs.mailer.mail(.passwordReset, to: to, locale: locale, ["code": code.digits])
    }
}
