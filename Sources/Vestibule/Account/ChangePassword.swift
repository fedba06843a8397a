import Foundation

/// A new password for somebody who is signed in: the current one is asked for, every other session ends.
struct ChangePassword: Sendable {
    let needs: Needs
    let sessions: Sessions

    /// What was typed.
    struct Form: Sendable {
        let currentPassword: String
        let password: String
        let passwordConfirmation: String
    }

    /// Changes it and renews the session's token. Throws `Refusals` for the form, and `Refusal.limited`.
    func change(_ record: SessionRecord, _ form: Form, visitor: Visitor) async throws -> Token {
        let password = try await judged(form, record.account)
        try await prove(record, form.currentPassword, visitor)
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket)
        let (token, session) = sessions.prepare(
            accountID: record.account.id, visitor: visitor, remembered: record.session.remembered, awaitsTerms: false
        )
        let event = needs.audit.event(.passwordChanged, accountID: record.account.id, visitor: visitor)
        try await needs.store.changePassword(
            hash, accountID: record.account.id, session: session,
            notice: try MailContent(
                kind: .passwordChanged, to: EmailAddress(record.account.email)?.ascii ?? record.account.email,
                locale: record.account.locale, values: [:]
            ).sealed(key: needs.secretKey, random: needs.random, now: needs.now()),
            event: event
        )
        needs.outboxBell.ring()
        needs.audit.log(event, visitor: visitor)
        return token
    }

    private func judged(_ form: Form, _ account: Account) async throws -> Password {
        let policy = needs.passwordPolicy
        let confirmation = needs.settings.passwordConfirmation
        return try await offEventLoop {
            Result { () throws(Refusals) in
                let password = Password(form.password)
                if let refusal = policy.judge(password, email: account.email, displayName: account.displayName) {
                    throw Refusals([.password(refusal)])
                }
                guard !confirmation || password.matches(Password(form.passwordConfirmation)) else {
                    throw Refusals([.confirmationMismatch])
                }
                return password
            }
        }.get()
    }

    /// Guessing the current password counts like guessing it at login.
    private func prove(_ record: SessionRecord, _ typed: String, _ visitor: Visitor) async throws {
        let email = EmailAddress(record.account.email)
        let subject = LimitSubject(visitor, email: email, key: needs.secretKey)
        try await needs.limits.take(.login, subject, now: needs.now())
        let hash = try await needs.store.passwordHash(accountID: record.account.id)
        guard try await needs.hasher.verify(Password(typed), against: hash, client: visitor.client.bucket) else {
            throw Refusals([.currentPasswordWrong])
        }
        let claims = needs.limits.failureClaims(.login, subject)
        try await needs.store.giveBack(claims)
        needs.limits.forget(claims)
    }
}
