import Essentials
import Foundation
import PasswordHashing

extension Signup {
    /// Throws `Refusals` for the form, and as `PasswordJudge.refusal` does.
    func checked(
        _ form: SignupForm, email: EmailAddress?, client: ClientAddress
    ) async throws -> SignupForm.Checked {
        let new = form.newPassword
        let refused = try await flows.passwords.refusals(
            new, email: form.email, displayName: form.displayName, client: client, named: Refusal.password)
        return try form.checked(email, new.password, refused: refused)
    }

    /// All mails are sealed before it is known which one goes out, so that the answer takes the
    /// same time.
    func mails(_ code: MailedCode, _ pending: PendingSignup) throws -> AddressMails {
        let values = ["code": code.digits, "display_name": pending.displayName]
        func queued(_ kind: MailContent.Kind, _ more: [String: String] = [:]) throws -> QueuedMail {
            try mailer.mail(
                kind, to: pending.code.email, locale: pending.locale, values.merging(more) { $1 }, id: code.mailID)
        }
        return AddressMails(
            whenFree: try queued(.signupCode), whenTaken: try queued(.signupTaken),
            whenDisabled: try queued(.signupTaken, ["disabled": "yes"]))
    }

    func newAccount(_ pending: PendingSignup, _ visitor: Visitor) -> (NewAccount, Token) {
        let account = Account(
            id: AccountID(from: random), email: pending.code.email, displayName: pending.displayName,
            createdAt: flows.now(), verifiedAt: flows.now(), locale: pending.locale,
            termsVersion: pending.consent.version)
        return signIns.prepare(
            account, pending.passwordHash, pending.consent, remembered: pending.remember, by: .password,
            [.signup, .login], visitor: visitor)
    }

    /// Verification off: the account at once, unproved.
    func makeAccount(
        _ checked: SignupForm.Checked, _ form: SignupForm, _ hash: PasswordHash, _ consent: Consent, _ visitor: Visitor
    ) async throws -> SignIn {
        let account = Account(
            id: AccountID(from: random), email: checked.email, displayName: checked.displayName.text,
            createdAt: flows.now(), verifiedAt: nil, locale: visitor.locale, termsVersion: consent.version)
        let (new, token) = signIns.prepare(
            account, hash, consent, remembered: form.remember, by: .password, [.signup, .login], visitor: visitor)
        guard try await store.addAccount(new) else { throw Refusals([.emailTaken]) }
        return signIns.made(new, token, returnTo: signIns.returnTo.granted(form.returnTo), visitor: visitor)
    }
}
