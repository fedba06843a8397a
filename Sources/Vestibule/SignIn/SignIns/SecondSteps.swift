import Essentials
import Foundation

/// Decides after a right first step whether a second one follows, and begins it.
struct SecondSteps: Sendable {
    let store: any SignInStore & FactorStore & PendingLoginStore
    let browsers: KnownBrowsers
    let audit: Audit
    let policy: FactorPolicy
    /// Whether a wish leads to an application that asks for a fresh proof.
    let asksProof: @Sendable (String) -> Bool
    let now: @Sendable () -> Date
    /// How long a browser may leave the second step out, in seconds.
    static let trustLifetime: TimeInterval = 30 * 86_400

    /// Begins the second step if the account asks this browser for one. Returns nil if none is
    /// asked for; `signIn` then says what was found of the account. Throws `Superseded` and
    /// `UsedBefore`.
    func begin(_ signIn: inout ProvedSignIn, visitor: Visitor) async throws -> SecondStepStart? {
        let account = signIn.account
        let facts = try await store.signInFacts(accountID: account.id)
        signIn.hasRoom = facts.hasRoom
        guard policy.asksSecondFactor else {
            signIn.hasFactor = !facts.secondFactors.isDisjoint(with: policy.counted)
            return nil
        }
        signIn.absent = policy.counted
        guard !facts.secondFactors.isDisjoint(with: policy.counted) else { return nil }
        // A fresh proof is one with every factor.
        let isFresh = signIn.returnTo.map(asksProof) ?? false
        if !isFresh, try await isTrusted(visitor, by: account) {
            (signIn.hasFactor, signIn.absent) = (true, [])
            return nil
        }
        let factors = try await store.factors(accountID: account.id).counted(passkeys: policy.takesPasskeys)
        // The last one may have been removed since the facts were read.
        guard factors.asksSecondStep else { return nil }
        let flow = Token(from: audit.random)
        signIn.events.append(
            audit.event(
                .secondStepBegun, id: PendingLogin.eventID(of: flow.digest), accountID: account.id, visitor: visitor))
        try await store.beginSecondStep(pending(signIn, flow), of: signIn)
        signIn.events.forEach { audit.log($0, visitor: visitor) }
        return SecondStepStart(flow: flow, methods: factors.offered)
    }

    private func pending(_ signIn: ProvedSignIn, _ flow: Token) -> PendingLogin {
        let start = now()
        // What is compared later is what the account has by then.
        let proved = (signIn.rehash ?? signIn.proved).map(PendingLogin.digest)
        return PendingLogin(
            flow: flow.digest, accountID: signIn.account.id, provedBy: signIn.provedBy, provedDigest: proved,
            remembered: signIn.remembered, returnTo: signIn.returnTo, startedAt: start,
            expiresAt: start.addingTimeInterval(PendingLogin.lifetime))
    }

    /// Trust holds only as long as the browser is known: a new password ends both. A copy of its
    /// cookie from before the trust has none.
    private func isTrusted(_ visitor: Visitor, by account: Account) async throws -> Bool {
        guard let browser = visitor.device?.digest,
            let lastSignIn = try await browsers.lastSignIn(visitor, to: account.email),
            let until = try await store.trustedUntil(browser: browser, accountID: account.id)
        else { return false }
        let since = until.addingTimeInterval(-Self.trustLifetime)
        // Both are kept in milliseconds.
        return now() < until && lastSignIn.timeIntervalSince(since) > -0.002
    }
}

extension SecurityEvent.Kind {
    /// A right first step. Deleted when the second one is right: then a sign-in is kept.
    static let secondStepBegun = Self("second_step_begun", log: "authn_login_second_step")
}
