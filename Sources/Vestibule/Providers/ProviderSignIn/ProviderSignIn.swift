import Essentials
import Foundation

/// Ends what a browser began at a provider: a sign-in, a way in that is added, or a proof.
struct ProviderSignIn: Sendable {
    let store: any IdentityStore & FactorStore
    let authorization: ProviderAuthorization
    let login: IdentityLogin
    let linking: IdentityLinking
    let sessions: Sessions
    let now: @Sendable () -> Date

    /// What an answer led to.
    enum Outcome: Sendable {
        case entered(SignInOutcome)
        case linked(IdentityLinking.Outcome)
        /// Who has that session has proved it again.
        case proved(RenewedSession, returnTo: String?)
        /// Somebody else is signed in here, and was not asked.
        case occupied
        /// `nil` when it was not this browser's flow that was given up.
        case cancelled(AuthFlow?)
        /// Nobody's yet: what comes next is for the person to say.
        case pending(PendingIdentity)
    }

    /// Ends what this browser began. Throws `ProviderFault` for whatever must not be believed.
    func finish(
        _ flow: AuthFlow?, _ answer: ProviderAnswer, _ provider: Provider, record: SessionRecord?, visitor: Visitor
    ) async throws -> Outcome {
        // Some say so without the state; nothing comes of it, so there is nothing to believe.
        guard !answer.isCancelled else { return .cancelled(flow?.state == answer.state ? flow : nil) }
        guard let flow, flow.provider == provider.settings.name, now() < flow.expiresAt else {
            throw ProviderFault.rejected("an answer to nothing this browser began")
        }
        let pending = try await authorization.vouched(flow, answer, provider, visitor: visitor)
        switch flow.purpose {
        case .link: return .linked(try await link(pending, flow, record, visitor))
        case .prove(let id):
            let held = flow.returnTo.flatMap(StepUpPages.held)
            let renewed = try await prove(pending, id, record, for: held, visitor: visitor)
            return .proved(renewed, returnTo: flow.returnTo)
        case .signIn(let replacing):
            guard try await mayEnter(pending, record, replacing) else { return .occupied }
            let outcome = try await login.signIn(pending, visitor, remembered: pending.remember ?? false)
            return outcome.map(Outcome.entered) ?? .pending(pending)
        }
    }

    /// Whether signing in takes no session from somebody else who was not asked.
    private func mayEnter(
        _ pending: PendingIdentity, _ record: SessionRecord?, _ replacing: SessionID?
    ) async throws -> Bool {
        guard let record, record.sessionID != replacing else { return true }
        let owner = try await store.identity(issuer: pending.issuer, subject: pending.subject)?.account.id
        return owner == nil || owner == record.accountID
    }

    private func link(
        _ pending: PendingIdentity, _ flow: AuthFlow, _ record: SessionRecord?, _ visitor: Visitor
    ) async throws -> IdentityLinking.Outcome {
        guard let record, flow.purpose == .link(session: record.sessionID) else {
            throw ProviderFault.rejected("the session that began it has ended")
        }
        guard !record.session.awaitsFactor else {
            throw ProviderFault.rejected("the last second factor was removed after it had begun")
        }
        let added = try await store.factors(accountID: record.accountID).added(since: flow.startedAt, orPasskey: nil)
        guard !added.asksSecondStep else {
            throw ProviderFault.rejected("a second factor was added after it had begun")
        }
        return try await linking.add(pending, to: record, visitor: visitor)
    }

    /// Renews the session when the identity is its account's. Throws `ProviderFault`, and
    /// `Superseded` when the session has ended.
    private func prove(
        _ pending: PendingIdentity, _ sessionID: SessionID, _ record: SessionRecord?, for held: Token?,
        visitor: Visitor
    ) async throws -> RenewedSession {
        guard let record, record.sessionID == sessionID else {
            throw ProviderFault.rejected("the session that began it has ended")
        }
        let owner = try await store.identity(issuer: pending.issuer, subject: pending.subject)?.account
        guard owner?.id == record.accountID else { throw ProviderFault.rejected("somebody else's identity") }
        return try await sessions.confirm(record, by: .provider, for: held, visitor: visitor)
    }
}
