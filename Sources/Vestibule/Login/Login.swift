import Essentials
import Foundation
import PasswordHashing

/// Login: one sentence and the same work for every cause of failure.
package struct Login: Sendable {
    let store: any LoginStore
    let sessions: Sessions
    let terms: Terms
    let limits: RateLimits
    let browsers: KnownBrowsers
    let hasher: PasswordHasher
    let mailer: Mailer
    let newSignIns: NewSignIns
    let audit: Audit
    let returnTo: ReturnTo
    let key: SecretKey
    let verificationRequired: Bool
    let now: @Sendable () -> Date

    /// What a right password led to. A second step will be a case of its own.
    package enum Outcome: Sendable {
        case signedIn(SignIn)
    }

    /// What was typed.
    package struct Form: Sendable {
        package var email: String
        package var password: String
        package var remember: Bool
        package var returnTo: String?

        package init(email: String, password: String, remember: Bool, returnTo: String?) {
            self.email = email
            self.password = password
            self.remember = remember
            self.returnTo = returnTo
        }

        /// The address. Throws `Refusals` for empty fields, and for text that is no address.
        func address() throws(Refusals) -> EmailAddress {
            var refusals: [Refusal] = []
            let address = EmailAddress(email)
            if address == nil { refusals.append(email.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid) }
            if password.isEmpty { refusals.append(.loginPasswordMissing) }
            guard let address, refusals.isEmpty else { throw Refusals(refusals) }
            return address
        }
    }

    /// Signs in. Throws `Refusals` for a form that can be right for nobody, before any limit or
    /// hash is spent; `Refusal.credentialsWrong` for every other cause, and `.limited`.
    package func signIn(_ form: Form, visitor: Visitor) async throws -> Outcome {
        let email = try form.address()
        let subject = try await browsers.subject(visitor, email: email)
        let claims = limits.claims(.login, subject)
        try await limits.take(claims, now: now())

        do {
            return try await attempt(form, email, subject, visitor)
        } catch is Superseded {
            // A second click, while the first replaced an old hash: the password is as right as it
            // was.
            do {
                return try await attempt(form, email, subject, visitor)
            } catch is Superseded {
                throw Refusal.credentialsWrong
            }
        }
    }

    /// Throws `Superseded` when what the password was compared with has changed meanwhile.
    private func attempt(
        _ form: Form, _ email: EmailAddress, _ subject: LimitSubject, _ visitor: Visitor
    ) async throws -> Outcome {
        let failuresKey = key.failuresKey(email)
        let record = try await store.loginRecord(emailKey: email.key, failuresKey: failuresKey)
        let usable = usableHash(record, isKnown: subject.device != nil)
        let password = Password(form.password)
        let matches = try await hasher.verify(
            password, against: usable, client: visitor.client.bucket, isKnown: subject.device != nil)
        guard matches, let account = record.account, let usable else {
            return try await fail(record.account, failuresKey, visitor)
        }
        // A queue that is full puts the new hash off until the next login, not the login.
        let rehash =
            hasher.needsRehash(usable)
            ? try? await hasher.hash(password, client: visitor.client.bucket) : nil
        return try await succeed(
            account, email, form, visitor, isKnown: subject.device != nil, proved: usable, rehash: rehash,
            failuresKey: failuresKey, returned: limits.failureClaims(.login, subject)
        )
    }

    /// The hash to compare with; `nil` costs the same and never matches.
    private func usableHash(_ record: LoginRecord, isKnown: Bool) -> PasswordHash? {
        guard let account = record.account, account.disabledAt == nil,
            account.verifiedAt != nil || !verificationRequired,
            isKnown || record.failuresInARow < FailuresInARow.atMost
        else { return nil }
        return record.passwordHash
    }

    private func fail(_ account: Account?, _ failuresKey: [UInt8], _ visitor: Visitor) async throws -> Outcome {
        let event = audit.event(.loginFailed, accountID: account?.id, visitor: visitor)
        try await store.loginFailed(failuresKey: failuresKey, event: event)
        audit.log(event, visitor: visitor)
        throw Refusal.credentialsWrong
    }

    private func succeed(
        _ account: Account, _ email: EmailAddress, _ form: Form, _ visitor: Visitor, isKnown: Bool,
        proved: PasswordHash, rehash: PasswordHash?, failuresKey: [UInt8], returned: [LimitClaim]
    ) async throws -> Outcome {
        let (token, session) = sessions.prepare(
            accountID: account.id, visitor: visitor, remembered: form.remember,
            awaitsTerms: account.termsVersion != terms.version
        )
        let event = audit.event(isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let rehashed = rehash.map { _ in
            audit.event(.passwordRehashed, accountID: account.id, visitor: visitor)
        }
        let events = [event, rehashed].compactMap { $0 }
        let hasMail = try await store.loginSucceeded(
            LoginSuccess(
                session: session, failuresKey: failuresKey, returned: returned, proved: proved, rehash: rehash,
                events: events,
                notice: isKnown ? nil : newSignIns.notice(event, to: account)
            )
        )
        if hasMail { mailer.wake() }
        limits.forget(returned)
        events.forEach { audit.log($0, visitor: visitor) }
        return .signedIn(
            SignIn(
                account: account, token: token, session: session,
                device: browsers.cookie(of: visitor, adding: email), destination: returnTo.granted(form.returnTo)))
    }
}
