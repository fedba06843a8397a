import Essentials
import Foundation
import Logging

/// The second step of a login, after the right password, a provider's word or a passkey that is no
/// second factor.
struct SecondStep: Sendable {
    let store: any PendingLoginStore
    let failures: FactorFailures
    let browsers: KnownBrowsers
    let signIns: SignIns
    let policy: FactorPolicy
    let now: @Sendable () -> Date

    var kinds: FactorKinds { failures.kinds }
    private var limits: RateLimits { failures.limits }
    private var key: SecretKey { failures.key }

    /// What was sent.
    struct Form: Sendable {
        let attempt: FactorAttempt
        /// Whether this browser is not to be asked again for a while.
        let trusts: Bool
    }

    /// The login that waits, with those factors that count. Returns nil if it is unknown or has
    /// ended, or by the present settings waits for nothing.
    func pending(_ flow: Token) async throws -> PendingLoginRecord? {
        guard let waiting = try await store.pendingLogin(flow.digest, now: now()),
            waiting.factors.asksSecondStep(by: policy)
        else { return nil }
        return PendingLoginRecord(
            login: waiting.login, account: waiting.account,
            factors: waiting.factors.counted(passkeys: policy.takesPasskeys))
    }

    /// Signs in. Throws what is missing of the attempt, `Refusal.secondCodeWrong`,
    /// `.passkeyRefused`, `.secondStepSpent` and `.limited`, and `Superseded` when the flow has
    /// ended or the password was changed meanwhile.
    func prove(_ form: Form, for waiting: PendingLoginRecord, visitor: Visitor) async throws -> SignIn {
        guard waiting.login.attempts < PendingLogin.attemptsAtMost else { throw Refusal.secondStepSpent }
        if let refusal = form.attempt.missing { throw refusal }
        let (account, flow) = (waiting.account, waiting.login.flow)
        let subject = try await browsers.subject(visitor, email: account.email, flow: flow)
        let claims = limits.claims(.secondFactor, subject.trying(form.attempt))
        let moment = now()
        let tried = try await limits.taking(claims, now: moment) {
            try await store.tryPendingLogin(flow, claims: claims, now: moment)
        }
        guard tried != nil else { throw Superseded() }
        let use = try await kinds.use(form.attempt, of: waiting.factors, accountID: account.id, visitor: visitor)
        guard let use else { return try await fail(form.attempt, waiting, visitor) }
        do {
            return try await succeed(waiting, use, form, isKnown: subject.device != nil, visitor)
        } catch is UsedBefore {
            return try await fail(form.attempt, waiting, visitor)
        }
    }

    private func fail(
        _ attempt: FactorAttempt, _ waiting: PendingLoginRecord, _ visitor: Visitor
    ) async throws -> SignIn {
        try await failures.note(
            .secondStepFailed, of: waiting.account, telling: .secondStepRefused,
            ["by_\(waiting.login.provedBy.rawValue)": "yes"], visitor: visitor)
        throw attempt.refusal
    }

    private func succeed(
        _ waiting: PendingLoginRecord, _ use: FactorUse, _ form: Form, isKnown: Bool, _ visitor: Visitor
    ) async throws -> SignIn {
        let (account, login) = (waiting.account, waiting.login)
        let device = browsers.cookie(of: visitor, adding: account.email)
        // Counted from the sign-in that the cookie tells of: an older copy of it is not trusted.
        let since = form.trusts ? device.lastSignIn(to: account.email, key: key) : nil
        var signIn = ProvedSignIn(
            account: account, by: login.provedBy, remembered: login.remembered, returnTo: login.returnTo,
            isKnown: isKnown)
        (signIn.device, signIn.secondFactor, signIn.use) = (device, use.factor, use)
        (signIn.events, signIn.mails) = try kinds.news(of: use, on: waiting.factors, account, visitor: visitor)
        signIn.failuresKey = key.failuresKey(account.email)
        signIn.secondStep = SecondStepEnd(
            flow: login.flow,
            trust: since.map { (browser: device.digest, until: $0.addingTimeInterval(SecondSteps.trustLifetime)) })
        return try await signIns.start(signIn, visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let secondStepFailed = Self("second_step_failed", log: "authn_login_fail", .warning)
}

extension MailContent.Kind {
    /// Tells of every fifth wrong second factor in a row, if it was given at sign-in.
    static let secondStepRefused = Self("second-step-refused")
}
