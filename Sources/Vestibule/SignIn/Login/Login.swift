import Essentials
import Foundation
import Logging
import PasswordHashing

/// Login: one sentence and the same work for every cause of failure.
struct Login: Sendable {
    let store: any CredentialStore & SignInStore
    let limits: RateLimits
    let browsers: KnownBrowsers
    let hasher: PasswordHasher
    let signIns: SignIns
    let secondSteps: SecondSteps
    let audit: Audit
    let returnTo: ReturnTo
    let key: SecretKey
    let verificationRequired: Bool
    let now: @Sendable () -> Date

    /// What was typed.
    struct Form: Sendable {
        var email: String
        var password: String
        var remember: Bool
        var returnTo: String?

        init(email: String, password: String, remember: Bool, returnTo: String?) {
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
    func signIn(_ form: Form, visitor: Visitor) async throws -> SignInOutcome {
        let email = try form.address()
        let subject = try await browsers.subject(visitor, email: email)
        let claims = limits.claims(.login, subject)
        try await limits.take(claims, now: now())

        do {
            // A second click, while the first replaced an old hash: the password is as right as it
            // was.
            return try await Superseded.onceMore { try await attempt(form, email, subject, visitor) }
        } catch is Superseded {
            throw Refusal.credentialsWrong
        }
    }

    /// Throws `Superseded` when what the password was compared with has changed meanwhile.
    private func attempt(
        _ form: Form, _ email: EmailAddress, _ subject: LimitSubject, _ visitor: Visitor
    ) async throws -> SignInOutcome {
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
        let returned = limits.failureClaims(.login, subject)
        let first = SecondSteps.First(
            account: account, provedBy: .password, remembered: form.remember,
            returnTo: returnTo.granted(form.returnTo), proved: usable, rehash: rehash, returned: returned)
        switch try await secondSteps.begin(first, visitor: visitor) {
        case .secondStep(let start):
            limits.forget(returned)
            return .secondStep(start)
        case .session(let findings):
            return try await succeed(
                first, visitor, isKnown: subject.device != nil, hasFailures: record.failuresInARow > 0, findings)
        }
    }

    /// The hash to compare with; `nil` costs the same and never matches.
    private func usableHash(_ record: LoginRecord, isKnown: Bool) -> PasswordHash? {
        guard let account = record.account, account.disabledAt == nil,
            account.verifiedAt != nil || !verificationRequired,
            isKnown || record.failuresInARow < FailuresInARow.atMost
        else { return nil }
        return record.passwordHash
    }

    private func fail(_ account: Account?, _ failuresKey: [UInt8], _ visitor: Visitor) async throws -> SignInOutcome {
        let event = audit.event(.loginFailed, accountID: account?.id, visitor: visitor)
        try await store.loginFailed(failuresKey: failuresKey, event: event)
        audit.log(event, visitor: visitor)
        throw Refusal.credentialsWrong
    }

    private func succeed(
        _ first: SecondSteps.First, _ visitor: Visitor, isKnown: Bool, hasFailures: Bool,
        _ findings: SignIns.Findings
    ) async throws -> SignInOutcome {
        let account = first.account
        let rehashed = first.rehash.map { _ in audit.event(.passwordRehashed, accountID: account.id, visitor: visitor) }
        let signIn = try await signIns.start(
            SignIns.Proved(
                account: account, by: .password, findings: findings, remembered: first.remembered,
                isKnown: isKnown, destination: first.returnTo),
            SignIns.Besides(
                returned: first.returned, hasFailures: hasFailures, proved: first.proved, rehash: first.rehash,
                events: [rehashed].compactMap { $0 }),
            visitor: visitor, write: store.loginSucceeded)
        limits.forget(first.returned)
        return .signedIn(signIn)
    }
}

extension SecurityEvent.Kind {
    package static let loginFailed = Self("login_failed", log: "authn_login_fail", .warning)
    static let passwordRehashed = Self("password_rehashed", log: "authn_password_rehash")
}
