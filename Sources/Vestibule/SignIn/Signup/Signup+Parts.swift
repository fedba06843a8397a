import Essentials
import Foundation
import PasswordHashing

extension Signup {
    /// Throws `Refusals` for the form, and as `PasswordJudge.refusal` does.
    func checked(
        _ form: SignupForm, email: EmailAddress?, client: ClientAddress
    ) async throws -> SignupForm.Checked {
        let new = form.newPassword
        let refused = try await passwords.refusals(
            new, email: form.email, displayName: form.displayName, client: client, named: Refusal.password)
        return try form.checked(email, new.password, refused: refused)
    }

    /// Both mails are sealed before it is known which one goes out, so that the answer takes the
    /// same time.
    func mails(_ code: Code, _ pending: PendingSignup) throws -> AddressMails {
        let values = ["code": code.digits, "display_name": pending.displayName]
        func queued(_ kind: MailContent.Kind) throws -> QueuedMail {
            try mailer.mail(kind, to: pending.code.email, locale: pending.locale, values)
        }
        return AddressMails(whenFree: try queued(.signupCode), whenTaken: try queued(.signupTaken))
    }

    /// What a right code makes, and the token of its session.
    func newAccount(_ pending: PendingSignup, _ visitor: Visitor) -> (NewAccount, Token) {
        let account = Account(
            id: AccountID(from: random), email: pending.code.email, displayName: pending.displayName, createdAt: now(),
            verifiedAt: now(), locale: pending.locale, termsVersion: pending.consent.version
        )
        return newAccount(
            account, pending.passwordHash, pending.consent, remember: pending.remember, visitor)
    }

    /// Verification off: the account at once, unproved.
    func makeAccount(
        _ checked: SignupForm.Checked, _ form: SignupForm, _ hash: PasswordHash, _ consent: Consent, _ visitor: Visitor
    ) async throws -> SignIn {
        let account = Account(
            id: AccountID(from: random), email: checked.email, displayName: checked.displayName.text, createdAt: now(),
            verifiedAt: nil, locale: visitor.locale, termsVersion: consent.version
        )
        let (new, token) = newAccount(
            account, hash, consent, remember: form.remember, visitor)
        guard try await store.addAccount(new) else { throw Refusals([.emailTaken]) }
        return signIn(new, token, checked.email, returnTo.granted(form.returnTo), visitor)
    }

    /// What the browser gets for an account that was made; logs its events.
    func signIn(
        _ new: NewAccount, _ token: Token, _ email: EmailAddress, _ destination: String?, _ visitor: Visitor
    ) -> SignIn {
        new.events.forEach { audit.log($0, visitor: visitor) }
        return SignIn(
            account: new.account, token: token, session: new.session,
            device: browsers.cookie(of: visitor, adding: email), destination: destination
        )
    }

    private func newAccount(
        _ account: Account, _ hash: PasswordHash, _ consent: Consent, remember: Bool,
        _ visitor: Visitor
    ) -> (NewAccount, Token) {
        let (token, session) = sessions.prepare(for: account, visitor: visitor, remembered: remember)
        let events = [SecurityEvent.Kind.signup, .login].map {
            audit.event($0, accountID: account.id, visitor: visitor)
        }
        let new = NewAccount(
            account: account, passwordHash: hash, consent: consent, session: session,
            events: events
        )
        return (new, token)
    }
}
