import Essentials
import Foundation
import PasswordHashing

/// Sign-up: no account before the mailbox is proved, and the same answer whether the address is new
/// or taken.
struct Signup: Sendable {
    let store: any SignupStore
    let flows: CodeFlows
    let sessions: Sessions
    let terms: Terms
    let limits: RateLimits
    let browsers: KnownBrowsers
    let passwords: NewPasswords
    let hasher: PasswordHasher
    let mailer: Mailer
    let audit: Audit
    let returnTo: ReturnTo
    let random: Randomness
    let isOpen: Bool
    let verificationRequired: Bool
    let now: @Sendable () -> Date

    /// What a sign-up led to.
    enum Outcome: Sendable {
        /// A code is on its way; the token binds the flow to this browser.
        case codeSent(flow: Token)
        /// Verification is off: signed in at once.
        case signedIn(SignIn)
    }

    /// Signs up. Throws `Refusals` for the form and `Refusal` for limits.
    func request(_ form: SignupForm, visitor: Visitor) async throws -> Outcome {
        guard isOpen else { throw Refusal.signupClosed }
        let email = EmailAddress(form.email)
        let subject = LimitSubject(client: visitor.client, email: email)
        let claims = limits.claims(.signup, subject) + (verificationRequired ? limits.claims(.mail, subject) : [])
        try limits.check(claims, now: now())
        let checked = try await checked(form, email: email, client: visitor.client)
        try await limits.take(claims, now: now())
        let hash = try await hasher.hash(checked.password, client: visitor.client.bucket)
        let consent = try terms.consent(visitor: visitor, at: now())
        guard verificationRequired else {
            return .signedIn(try await makeAccount(checked, form, hash, consent, visitor))
        }
        let begun = try await flows.begin(
            checked.email, .address,
            isKnown: browsers.isKnown(visitor, to: checked.email))
        let pending = PendingSignup(
            code: begun.pending, displayName: checked.displayName.text, passwordHash: hash, consent: consent,
            locale: visitor.locale, returnTo: returnTo.granted(form.returnTo), remember: form.remember
        )
        try await store.addPendingSignup(pending, mails: mails(begun.code, pending))
        mailer.wake()
        return .codeSent(flow: begun.token)
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended.
    func resend(_ pending: PendingSignup, visitor: Visitor) async throws -> Bool {
        let subject = LimitSubject(client: visitor.client, email: pending.code.email)
        try await limits.take(.mail, subject, now: now())
        let renewed = try await flows.renew(
            .signup, pending.code, .address, isKnown: browsers.isKnown(visitor, to: subject.email)
        ) { .either(try mails($0, pending)) }
        mailer.wake()
        return renewed
    }

    /// The pending sign-up of this browser, for the page that asks for the code.
    func pending(_ flow: Token?) async throws -> PendingSignup? {
        guard let flow else { return nil }
        return try await store.pendingSignup(flow: flow.digest, now: now())
    }

    /// Redeems a code: account and session in one transaction. Throws `Refusal.codeWrong`,
    /// `.flowSpent` or `.emailTaken`.
    func verify(_ pending: PendingSignup, typed: String, visitor: Visitor) async throws -> SignIn {
        let admitted = try await flows.admit(typed, pending.code, visitor: visitor)
        let record = try await flows.record(pending.code.email)
        let attempt = flows.attempt(
            admitted.code, pending.code, .address, isKnown: admitted.isKnown, accountID: record.account?.id,
            visitor: visitor)
        let (new, token) = newAccount(pending, visitor)
        let completion = try await store.completeSignup(
            flow: pending.code.flow, attempt: attempt, new: new, now: now())
        switch completion {
        case .codeWrong: throw flows.refuse(attempt, visitor: visitor)
        case .taken: throw Refusal.emailTaken
        case .created: return signIn(new, token, pending.code.email, pending.returnTo, visitor)
        }
    }
}

extension MailContent.Kind {
    static let signupCode = Self("signup-code", usefulFor: Code.lifetime, isUrgent: true)
    static let signupTaken = Self("signup-taken", usefulFor: Code.lifetime, isUrgent: true)
}
