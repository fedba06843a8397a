import Essentials
import Foundation
import PasswordHashing

/// Sign-up: no account before the mailbox is proved, and the same answer whether the address is new
/// or taken.
struct Signup: Sendable {
    let store: any SignupStore
    let flows: CodeFlows
    let signIns: SignIns
    let terms: Terms
    let hasher: PasswordHasher
    let mailer: Mailer
    let random: Randomness
    let isOpen: Bool

    /// What a sign-up led to.
    enum Outcome: Sendable {
        /// A code is on its way; the token binds the flow to this browser.
        case codeSent(flow: Token)
        /// Verification is off: signed in at once.
        case signedIn(SignIn)
    }

    /// Signs up. Throws `Refusals` for the form and `Refusal` for limits.
    func request(_ form: SignupForm, replaces: Token?, visitor: Visitor) async throws -> Outcome {
        guard isOpen else { throw Refusal.signupClosed }
        let email = EmailAddress(form.email)
        let subject = LimitSubject(client: visitor.client, email: email)
        let claims =
            flows.limits.claims(.signup, subject)
            + (signIns.verificationRequired ? flows.limits.claims(.mail, subject) : [])
        try flows.limits.check(claims, now: flows.now())
        let checked = try await checked(form, email: email, client: visitor.client)
        try await flows.limits.take(claims, now: flows.now())
        let hash = try await flows.limits.unlessBusy(claims) {
            try await hasher.hash(checked.password, client: visitor.client.bucket)
        }
        let consent = try terms.consent(visitor: visitor, at: flows.now())
        guard signIns.verificationRequired else {
            return .signedIn(try await makeAccount(checked, form, hash, consent, visitor))
        }
        let begun = try await flows.begin(
            checked.email, .address,
            isKnown: flows.browsers.isKnown(visitor, to: checked.email))
        let pending = PendingSignup(
            code: begun.pending, displayName: checked.displayName.text, passwordHash: hash, consent: consent,
            locale: visitor.locale, returnTo: signIns.returnTo.granted(form.returnTo), remember: form.remember
        )
        try await store.addPendingSignup(
            pending, replaces: replaces?.digest, mails: mails(begun.code, pending))
        mailer.wake()
        return .codeSent(flow: begun.token)
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended or has no attempts left: a mail that is not sent is not counted.
    func resend(_ pending: PendingSignup, visitor: Visitor) async throws -> Bool {
        guard !pending.code.isSpent else { return false }
        let subject = LimitSubject(client: visitor.client, email: pending.code.email)
        try await flows.limits.take(.mail, subject, now: flows.now())
        let renewed = try await flows.renew(
            .signup, pending.code, .address, isKnown: flows.browsers.isKnown(visitor, to: subject.email)
        ) { .either(try mails($0, pending)) }
        mailer.wake()
        return renewed
    }

    func pending(_ flow: Token?) async throws -> PendingSignup? {
        // A sign-up that was begun before the site was closed makes no account either.
        guard isOpen, let flow else { return nil }
        return try await store.pendingSignup(flow: flow.digest, now: flows.now())
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
            flow: pending.code.flow, attempt: attempt, new: new, now: flows.now())
        switch completion {
        case .codeWrong: throw flows.refuse(attempt, pending.code, visitor: visitor)
        case .taken: throw Refusal.emailTaken
        case .done: return signIns.made(new, token, returnTo: pending.returnTo, visitor: visitor)
        }
    }
}

extension MailContent.Kind {
    static let signupCode = Self("signup-code", usefulFor: Code.lifetime, isUrgent: true)
    static let signupTaken = Self("signup-taken", usefulFor: Code.lifetime, isUrgent: true)
}
