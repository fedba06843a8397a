import Essentials
import Foundation
import PasswordHashing

extension Signup {
    /// Throws `Refusals` for the form, and as `PasswordJudge.refusal` does.
    func checked(
        _ form: SignupForm, email: EmailAddress?, client: IPAddress
    ) async throws -> SignupForm.Checked {
        let password = Password(form.password)
        let refused = try await needs.passwordJudge.refusal(
            of: password, email: form.email, displayName: form.displayName, client: client, now: needs.now()
        )
        return try form.checked(
            email, password, refused: refused, confirmation: needs.settings.passwordConfirmation
        )
    }

    func pendingSignup(
        _ checked: SignupForm.Checked, _ form: SignupForm, _ hash: PasswordHash, _ consent: Consent,
        _ visitor: Visitor, flow: TokenDigest, code: Code
    ) -> PendingSignup {
        let now = needs.now()
        return PendingSignup(
            flow: flow, displayName: checked.displayName.text, email: checked.email.typed,
            emailKey: checked.email.key, passwordHash: hash, codeDigest: needs.codes.digest(code, flow: flow),
            codeExpiresAt: needs.codes.expiry,
            expiresAt: now.addingTimeInterval(Self.flowLifetime), consent: consent, locale: visitor.locale,
            returnTo: needs.returnTo.granted(form.returnTo), remember: form.remember
        )
    }

    func newCode(_ email: EmailAddress?, _ visitor: Visitor) async throws -> Code {
        try await needs.codes.make(.address, isKnown: needs.browsers.isKnown(visitor, to: email))
    }

    func attempt(
        _ code: Code, _ pending: PendingSignup, isKnown: Bool, _ visitor: Visitor
    ) async throws -> CodeAttempt {
        let record = try await needs.store.loginRecord(
            emailKey: pending.emailKey, failuresKey: needs.secretKey.failuresKey(pending.emailKey))
        return needs.codes.attempt(
            code, .address, flow: pending.flow, emailKey: pending.emailKey, isKnown: isKnown,
            accountID: record.account?.id, visitor: visitor)
    }

    /// Both mails are sealed before it is known which one goes out, so that the answer takes the same time.
    func mails(_ code: Code, to: String, name: String, locale: String) throws -> SignupMails {
        func queued(_ kind: MailContent.Kind) throws -> QueuedMail {
            try needs.mailer.mail(kind, to: to, locale: locale, ["code": code.digits, "display_name": name])
        }
        return SignupMails(whenFree: try queued(.signupCode), whenTaken: try queued(.signupTaken))
    }

    /// Verification off: the account at once, unproved.
    func makeAccount(
        _ checked: SignupForm.Checked, _ form: SignupForm, _ hash: PasswordHash, _ consent: Consent, _ visitor: Visitor
    ) async throws -> SignIn {
        let accountID = needs.random.id()
        let (token, session) = sessions.prepare(
            accountID: accountID, visitor: visitor, remembered: form.remember, awaitsTerms: false
        )
        let events = [SecurityEvent.Kind.signup, .login].map {
            needs.audit.event($0, accountID: accountID, visitor: visitor)
        }
        let code = Code(from: needs.random)
        let pending = pendingSignup(
            checked, form, hash, consent, visitor, flow: Token(from: needs.random).digest, code: code
        )
        let new = NewAccount(
            pending, id: accountID, at: needs.now(), verified: false, session: session, events: events
        )
        guard try await needs.store.addAccount(new) else { throw Refusals([.emailTaken]) }
        events.forEach { needs.audit.log($0, visitor: visitor) }
        return SignIn(
            account: new.account, token: token, session: session.session,
            device: needs.browsers.cookie(of: visitor, adding: checked.email), destination: pending.returnTo
        )
    }
}

extension NewAccount {
    init(
        _ pending: PendingSignup, id: String, at now: Date, verified: Bool, session: NewSession,
        events: [SecurityEvent]
    ) {
        self.init(
            account: Account(
                id: id, email: pending.email, displayName: pending.displayName, createdAt: now,
                verifiedAt: verified ? now : nil, locale: pending.locale, termsVersion: pending.consent.version
            ),
            emailKey: pending.emailKey, passwordHash: pending.passwordHash, consent: pending.consent,
            session: session, events: events
        )
    }
}
