import Essentials

/// Whether a request to an application may pass, and who sends it.
///
/// It reads, and writes nothing but now and then when a session or token was last used; the route
/// tells the operator of refusals.
struct Verdicts: Sendable {
    let sessions: ApplicationSessions
    let tokens: MachineTokens
    let assertions: Assertions

    /// What a request showed of itself.
    enum Credential: Sendable {
        /// The cookie of the application's host; at the public origin that of the sign-in.
        case cookie(Token)
        /// `Vestibule-Token`.
        case machine(String)
    }

    enum Outcome: Sendable {
        case passes(ApplicationIdentity)
        /// Nobody is signed in. What was shown instead of a session leads nowhere.
        case nobody
        /// Somebody is, who is in none of the application's groups.
        case notAdmitted(SessionRecord)
        /// The token of a machine opens nothing here.
        case tokenRefused
    }

    func verdict(on question: VerdictQuestion) -> Lookup<Outcome> {
        switch question.credential {
        case nil: return .known(.nobody)
        case .machine(let presented): return .asks { try await outcome(presented, question) }
        case .cookie(let token):
            switch sessions.resume(token, at: question.origin) {
            case .known(let record): return outcome(record, question)
            case .asks(let record): return .asks { try await outcome(record(), question).value }
            }
        }
    }

    private func outcome(_ presented: String, _ question: VerdictQuestion) async throws -> Outcome {
        let token = try await tokens.identify(presented, application: question.application.name)
        guard let token else { return .tokenRefused }
        let assertion = try await assertions.assertion(for: token, audience: question.origin)
        return .passes(ApplicationIdentity(subject: token.subject, assertion: assertion))
    }

    private func outcome(_ record: SessionRecord?, _ question: VerdictQuestion) -> Lookup<Outcome> {
        guard let record, !record.isHeldBack else { return .known(.nobody) }
        guard question.application.admits(groups: record.account.groups) else { return .known(.notAdmitted(record)) }
        switch assertions.assertion(for: record, audience: question.origin) {
        case .known(let text): return .known(.passes(ApplicationIdentity(record, assertion: text)))
        case .asks(let text):
            return .asks { .passes(ApplicationIdentity(record, assertion: try await text())) }
        }
    }
}

/// Who sends a request, as an application learns it.
struct ApplicationIdentity: Sendable {
    /// Id of the account, or of the token: `token:…`.
    let subject: String
    var email = ""
    var name = ""
    var groups: [String] = []
    /// Signed (RFC 7519).
    let assertion: String
}

extension ApplicationIdentity {
    fileprivate init(_ record: SessionRecord, assertion: String) {
        let account = record.account
        self.init(
            subject: account.id.rawValue, email: account.email.ascii, name: account.displayName,
            groups: account.groups, assertion: assertion)
    }
}
