import Essentials
import Foundation

/// Decides what comes next for a client's request: a page of the sign-in, a question, or a code.
struct Authorization: Sendable {
    let store: any AuthorizationStore & ApplicationConsentStore
    let applications: Applications
    let audit: Audit
    let limits: RateLimits

    /// For so many seconds after a proof, the link back from the sign-in counts as that proof.
    private static let proofLifetime: TimeInterval = 600

    enum Step: Sendable {
        case signIn
        /// Somebody is signed in, and has to prove again who they are, or is somebody else.
        case signInAgain
        /// Terms are to be accepted, or a second factor added, before anything else.
        case heldBack
        /// In none of the application's groups.
        case notAdmitted
        case askConsent
        case code(Token)
        /// The client wants no page to be shown, and one would be; or it expects another account
        /// than the one that has just signed in.
        case refuse(String)
    }

    /// `isBack`: the visitor comes from the sign-in; `consents`: and has just said yes. Throws
    /// `Superseded` when the session has ended meanwhile, unless the request is silent
    /// (`prompt=none`), and `Refusal.limited`.
    func next(
        _ request: AuthorizationRequest, _ record: SessionRecord?, isBack: Bool, consents: Bool = false,
        visitor: Visitor
    ) async throws -> Step {
        guard let record, let application = applications.client(request.client) else {
            return request.isSilent ? .refuse("login_required") : .signIn
        }
        if let step = obstacle(request, record, application, isBack: isBack, consents: consents) {
            return Self.shown(step, request)
        }
        if consents { try await remember(request, record, visitor) }
        let code = Token(from: audit.random)
        do {
            try await store.addCode(
                NewCode(
                    digest: code.digest, application: request.client, redirect: request.redirect,
                    challenge: request.challenge, nonce: request.nonce, scopes: request.scopes,
                    session: record.presented, expiresAt: audit.now().addingTimeInterval(NewCode.lifetime)),
                needsConsent: application.client?.isTrusted == false)
        } catch is ConsentMissing {
            return Self.shown(.askConsent, request)
        } catch is Superseded where request.isSilent {
            return Self.shown(.signIn, request)
        }
        return .code(code)
    }

    /// A silent request is shown no page (OpenID Connect Core section 3.1.2.1).
    private static func shown(_ step: Step, _ request: AuthorizationRequest) -> Step {
        request.isSilent ? .refuse(step.refusal) : step
    }

    private func obstacle(
        _ request: AuthorizationRequest, _ record: SessionRecord, _ application: ProtectedApplication, isBack: Bool,
        consents: Bool
    ) -> Step? {
        guard !record.isHeldBack else { return .heldBack }
        let isNew = isBack && isProofNew(request, record)
        // OpenID Connect Core section 3.1.2.1: a sign-in with another account is an error.
        guard !request.expectsAnother(than: record.accountID) else {
            return isNew ? .refuse("login_required") : .signInAgain
        }
        guard isNew || !asksProof(request, record) else { return .signInAgain }
        guard application.admits(groups: record.account.groups) else { return .notAdmitted }
        guard !consents else { return nil }
        return asksAlways(request, application) ? .askConsent : nil
    }

    /// Whether the sign-in was for this request. Opened again later, the same link proves nothing.
    private func isProofNew(_ request: AuthorizationRequest, _ record: SessionRecord) -> Bool {
        let provedAt = record.session.proof.at
        // Times are stored in milliseconds.
        return provedAt.timeIntervalSince1970 + 0.002 >= request.madeAt
            && audit.now().timeIntervalSince(provedAt) < Self.proofLifetime
    }

    private func asksProof(_ request: AuthorizationRequest, _ record: SessionRecord) -> Bool {
        let sinceProof = audit.now().timeIntervalSince(record.session.proof.at)
        return request.effectiveMaxAge.map { sinceProof > Double($0) || $0 == 0 } ?? false
    }

    /// Whether the question comes even where the answer is known.
    private func asksAlways(_ request: AuthorizationRequest, _ application: ProtectedApplication) -> Bool {
        request.forcesQuestion || application.client?.asksEachTime(at: request.redirect) == true
    }

    /// Whether all that the request asks for was consented to.
    private func isGiven(_ request: AuthorizationRequest, _ record: SessionRecord) async throws -> Bool {
        let given = try await store.applicationConsents(accountID: record.accountID)
            .first { $0.application.isExactly(request.client) }
        return given.map { Scopes(request.scopes).isCovered(by: Scopes($0.scopes)) } ?? false
    }

    private func remember(_ request: AuthorizationRequest, _ record: SessionRecord, _ visitor: Visitor) async throws {
        // What was given before, or is part of it, does not count: some applications ask each time.
        guard try await !isGiven(request, record) else { return }
        try await limits.take(
            .consent, LimitSubject(client: visitor.client, account: record.accountID), now: audit.now())
        let event = audit.event(.consentGiven, accountID: record.accountID, visitor: visitor)
        let isNew = try await store.giveConsent(
            ApplicationConsent(application: request.client, scopes: request.scopes, givenAt: audit.now()),
            by: record.presented, event: event)
        if isNew { audit.log(event, visitor: visitor) }
    }
}

extension Authorization.Step {
    /// What a client learns that wants no page (OpenID Connect Core section 3.1.2.6).
    fileprivate var refusal: String {
        switch self {
        case .signIn, .signInAgain: "login_required"
        case .askConsent: "consent_required"
        case .notAdmitted: "access_denied"
        case .refuse(let error): error
        case .heldBack, .code: "interaction_required"
        }
    }
}

extension SecurityEvent.Kind {
    static let consentGiven = Self("consent_given", log: "authz_change")
}
