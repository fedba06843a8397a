import Essentials
import Foundation
import PasswordHashing

/// Decides after a right first step whether a second one follows, and begins it.
struct SecondSteps: Sendable {
    let store: any SignInStore & FactorStore & PendingLoginStore
    let browsers: KnownBrowsers
    let random: Randomness
    /// Whether second factors are asked for at all.
    let isOn: Bool
    /// Whether passkeys are.
    let takesPasskeys: Bool
    let now: @Sendable () -> Date

    /// A first step that was right.
    struct First: Sendable {
        let account: Account
        let provedBy: Session.Proof
        let remembered: Bool
        /// Where the visitor wanted to go; already checked.
        let returnTo: String?
        var proved: PasswordHash?
        var rehash: PasswordHash?
        var returned: [LimitClaim] = []
        var once: Once?
        /// The identity at a provider that it was made with.
        var identityID: String?
    }

    /// What follows a first step.
    enum Next: Sendable {
        case session(SignIns.Findings)
        case secondStep(SecondStepStart)
    }

    /// Begins the second step if the account asks this browser for one. Throws `Superseded` and
    /// `UsedBefore`.
    func begin(_ first: First, visitor: Visitor) async throws -> Next {
        guard isOn else { return .session(SignIns.Findings()) }
        let counted: Set<SecondFactor> = takesPasskeys ? [.totp, .passkey] : [.totp]
        let facts = try await store.signInFacts(accountID: first.account.id)
        var findings = SignIns.Findings(absent: counted, hasRoom: facts.hasRoom)
        guard !facts.secondFactors.isDisjoint(with: counted) else { return .session(findings) }
        guard try await !isTrusted(visitor, by: first.account) else {
            (findings.hasFactor, findings.absent) = (true, [])
            return .session(findings)
        }
        let factors = try await store.factors(accountID: first.account.id).counted(passkeys: takesPasskeys)
        // The last one may have been removed since the facts were read.
        guard factors.asksSecondStep else { return .session(findings) }
        let flow = Token(from: random)
        let start = now()
        // What is compared later is what the account has by then.
        let proved = (first.rehash ?? first.proved).map(PendingLogin.digest)
        let login = PendingLogin(
            flow: flow.digest, accountID: first.account.id, provedBy: first.provedBy, provedDigest: proved,
            remembered: first.remembered, returnTo: first.returnTo, startedAt: start,
            expiresAt: start.addingTimeInterval(PendingLogin.lifetime))
        try await store.beginSecondStep(
            FirstStep(
                login: login, returned: first.returned, proved: first.proved, rehash: first.rehash, once: first.once,
                identityID: first.identityID))
        return .secondStep(SecondStepStart(flow: flow, methods: factors.offered))
    }

    /// Trust holds only as long as the browser is known: a new password ends both. A copy of its
    /// cookie from before the trust has none.
    private func isTrusted(_ visitor: Visitor, by account: Account) async throws -> Bool {
        guard let browser = visitor.device?.digest,
            let lastSignIn = try await browsers.lastSignIn(visitor, to: account.email),
            let until = try await store.trustedUntil(browser: browser, accountID: account.id)
        else { return false }
        let since = until.addingTimeInterval(-SecondStep.trustLifetime)
        // Both are kept in milliseconds.
        return now() < until && lastSignIn.timeIntervalSince(since) > -0.002
    }
}
