import Essentials
import Foundation
import Logging
import PasswordHashing

/// Login: one sentence and the same work for every cause of failure.
struct Login: Sendable {
    let store: any CredentialStore
    let limits: RateLimits
    let hasher: PasswordHasher
    let signIns: SignIns
    let key: SecretKey
    let now: @Sendable () -> Date

    /// What was typed.
    struct Form: Sendable {
        var email: String
        var password: String
        var remember: Bool
        var returnTo: String?

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
        let subject = try await signIns.browsers.subject(visitor, email: email)
        let returned = try await limits.take(.login, subject, now: now())
        do {
            // A second click, while the first replaced an old hash: the password is as right as it
            // was.
            let outcome = try await Superseded.onceMore {
                try await attempt(form, email, isKnown: subject.device != nil, returned, visitor)
            }
            limits.forget(returned)
            return outcome
        } catch is Superseded {
            throw Refusal.credentialsWrong
        }
    }

    /// Throws `Superseded` when what the password was compared with has changed meanwhile.
    private func attempt(
        _ form: Form, _ email: EmailAddress, isKnown: Bool, _ returned: [LimitClaim], _ visitor: Visitor
    ) async throws -> SignInOutcome {
        let failuresKey = key.failuresKey(email)
        let record = try await store.loginRecord(emailKey: email.key, failuresKey: failuresKey)
        let usable = usableHash(record, isKnown: isKnown)
        let password = Password(form.password)
        let matches = try await limits.unlessBusy(returned) {
            try await hasher.verify(password, against: usable, client: visitor.client.bucket, isKnown: isKnown)
        }
        guard matches, let account = record.account, let usable else {
            return try await fail(record.account, failuresKey, visitor)
        }
        var signIn = ProvedSignIn(
            account: account, by: .password, remembered: form.remember,
            returnTo: signIns.returnTo.granted(form.returnTo), isKnown: isKnown)
        signIn.proved = usable
        // A queue that is full puts the new hash off until the next login, not the login.
        if hasher.needsRehash(usable) {
            signIn.rehash = try? await hasher.hash(password, client: visitor.client.bucket)
        }
        signIn.returned = returned
        signIn.failuresKey = record.failuresInARow > 0 ? failuresKey : nil
        signIn.limitedBy = isKnown ? nil : failuresKey
        return try await proceed(signIn, failuresKey, visitor)
    }

    /// Refuses the right password like a wrong one if the failures in a row reached their limit
    /// while it was compared. Throws `Superseded`.
    private func proceed(
        _ signIn: ProvedSignIn, _ failuresKey: [UInt8], _ visitor: Visitor
    ) async throws -> SignInOutcome {
        do {
            return try await signIns.proceed(signIn, visitor: visitor)
        } catch is Superseded where signIn.limitedBy != nil {
            // Comparing the password again would double the time, and so tell that it was right.
            let record = try await store.loginRecord(emailKey: signIn.account.email.key, failuresKey: failuresKey)
            guard record.failuresInARow < FailuresInARow.atMost else {
                return try await fail(record.account, failuresKey, visitor)
            }
            throw Superseded()
        }
    }

    /// The hash to compare with; `nil` costs the same and never matches.
    private func usableHash(_ record: LoginRecord, isKnown: Bool) -> PasswordHash? {
        let obstacle = record.obstacle(isKnown: isKnown, verificationRequired: signIns.verificationRequired)
        return obstacle == nil ? record.passwordHash : nil
    }

    private func fail(_ account: Account?, _ failuresKey: [UInt8], _ visitor: Visitor) async throws -> SignInOutcome {
        let event = signIns.audit.event(.loginFailed, accountID: account?.id, visitor: visitor)
        try await store.loginFailed(failuresKey: failuresKey, event: event)
        signIns.audit.log(event, visitor: visitor)
        throw Refusal.credentialsWrong
    }
}

extension SecurityEvent.Kind {
    package static let loginFailed = Self("login_failed", log: "authn_login_fail", .warning)
}
