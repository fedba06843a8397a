package import Essentials
import Foundation
import PasswordHashing

/// Sign-up: no account before the mailbox is proved, and the same answer whether the address is new or taken.
package struct Signup: Sendable {
    let needs: Needs
    let sessions: Sessions
    let terms: Terms
    /// A flow outlives its code, so that a late visitor can have another one sent.
    static let flowLifetime: TimeInterval = 3600

    /// What a sign-up led to.
    package enum Outcome: Sendable {
        /// A code is on its way; the token binds the flow to this browser.
        case codeSent(flow: Token)
        /// Verification is off: signed in at once.
        case signedIn(SignIn)
    }

    /// Signs up. Throws `Refusals` for the form and `Refusal` for limits.
    package func request(_ form: SignupForm, visitor: Visitor) async throws -> Outcome {
        guard needs.settings.signupOpen else { throw Refusal.signupClosed }
        let email = EmailAddress(form.email)
        let subject = LimitSubject(client: visitor.client, email: email)
        let verification = needs.settings.verificationRequired
        let claims = needs.limits.claims(.signup, subject) + (verification ? needs.limits.claims(.mail, subject) : [])
        try needs.limits.check(claims, now: needs.now())
        let checked = try await checked(form, email: email, client: visitor.client)
        try await needs.limits.take(claims, now: needs.now())
        let hash = try await needs.hasher.hash(checked.password, client: visitor.client.bucket)
        let consent = try terms.consent(visitor: visitor, at: needs.now())
        guard verification else {
            return .signedIn(try await makeAccount(checked, form, hash, consent, visitor))
        }
        let flow = Token(from: needs.random)
        let code = try await newCode(checked.email, visitor)
        let pending = pendingSignup(checked, form, hash, consent, visitor, flow: flow.digest, code: code)
        try await needs.store.addPendingSignup(
            pending, mails: mails(code, to: checked.email.ascii, name: checked.displayName.text, locale: visitor.locale)
        )
        needs.mailer.wake()
        return .codeSent(flow: flow)
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow has ended.
    package func resend(_ pending: PendingSignup, visitor: Visitor) async throws -> Bool {
        let subject = LimitSubject(client: visitor.client, email: EmailAddress(pending.email))
        try await needs.limits.take(.mail, subject, now: needs.now())
        let code = try await newCode(subject.email, visitor)
        let now = needs.now()
        let renewed = try await needs.store.renewSignupCode(
            flow: pending.flow, code: needs.codes.digest(code, flow: pending.flow),
            codeExpiresAt: needs.codes.expiry,
            mails: mails(
                code, to: EmailAddress(pending.email)?.ascii ?? pending.email, name: pending.displayName,
                locale: pending.locale), now: now
        )
        needs.mailer.wake()
        return renewed
    }

    /// The pending sign-up of this browser, for the page that asks for the code.
    package func pending(_ flow: Token?) async throws -> PendingSignup? {
        guard let flow else { return nil }
        return try await needs.store.pendingSignup(flow: flow.digest, now: needs.now())
    }

    /// Redeems a code: account and session in one transaction. Throws `Refusal.codeWrong`, `.flowSpent` or `.emailTaken`.
    package func verify(_ pending: PendingSignup, typed: String, visitor: Visitor) async throws -> SignIn {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        guard !typed.trimmingSpaces.isEmpty else { throw Refusal.codeMissing }
        // No code is right any more: tries are for the next one.
        try needs.codes.checkLife(until: pending.codeExpiresAt)
        let email = EmailAddress(pending.email)
        let subject = try await needs.browsers.subject(visitor, email: email, flow: pending.flow)
        try await needs.limits.take(.verify, subject, now: needs.now())
        guard let code = Code(typed: typed) else { throw Refusal.codeWrong }
        let attempt = try await attempt(code, pending, isKnown: subject.device != nil, visitor)
        let accountID = needs.random.id()
        let (token, session) = sessions.prepare(
            accountID: accountID, visitor: visitor, remembered: pending.remember, awaitsTerms: false
        )
        let now = needs.now()
        let events = [SecurityEvent.Kind.signup, .login].map {
            needs.audit.event($0, accountID: accountID, visitor: visitor)
        }
        let completion = try await needs.store.completeSignup(
            flow: pending.flow, attempt: attempt, now: now
        ) { pending in
            NewAccount(pending, id: accountID, at: now, verified: true, session: session, events: events)
        }
        switch completion {
        case .codeWrong:
            needs.audit.log(attempt.failure, visitor: visitor)
            throw Refusal.codeWrong
        case .taken: throw Refusal.emailTaken
        case .created(let account):
            events.forEach { needs.audit.log($0, visitor: visitor) }
            return SignIn(
                account: account, token: token, session: session.session,
                device: email.map { needs.browsers.cookie(of: visitor, adding: $0) }, destination: pending.returnTo
            )
        }
    }
}
