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

    func verdict(
        on credential: Credential?, for application: ProtectedApplication, at origin: Origin
    ) async throws -> Outcome {
        switch credential {
        case nil: return .nobody
        case .machine(let presented):
            guard let token = try await tokens.identify(presented, application: application.name) else {
                return .tokenRefused
            }
            return .passes(
                ApplicationIdentity(token, assertion: try await assertions.assertion(for: token, audience: origin)))
        case .cookie(let token):
            switch Standing(try await sessions.resume(token, at: origin), in: application) {
            case .decided(let outcome): return outcome
            case .admitted(let record):
                let assertion = try await assertions.assertion(for: record, audience: origin)
                return .passes(ApplicationIdentity(record, assertion: assertion))
            }
        }
    }

    /// What `verdict` would return now, without waiting.
    func verdictFromMemory(
        on credential: Credential?, for application: ProtectedApplication, at origin: Origin
    ) throws(NotInMemory) -> Outcome {
        switch credential {
        case nil: return .nobody
        case .machine: throw NotInMemory()
        case .cookie(let token):
            switch Standing(try sessions.resumeFromMemory(token, at: origin), in: application) {
            case .decided(let outcome): return outcome
            case .admitted(let record):
                let assertion = try assertions.assertionFromMemory(for: record, audience: origin)
                return .passes(ApplicationIdentity(record, assertion: assertion))
            }
        }
    }

    /// What a session is worth in an application, before anything is signed.
    private enum Standing {
        case decided(Outcome)
        case admitted(SessionRecord)

        init(_ record: SessionRecord?, in application: ProtectedApplication) {
            if let record, !record.isHeldBack {
                let isMember = application.admits(groups: record.account.groups)
                self = isMember ? .admitted(record) : .decided(.notAdmitted(record))
            } else {
                self = .decided(.nobody)
            }
        }
    }
}

/// Who sends a request, as an application learns it.
struct ApplicationIdentity: Sendable {
    /// Id of the account, or of the token: `token:…`.
    let subject: String
    let email: String
    let name: String
    let groups: [String]
    /// Signed (RFC 7519).
    let assertion: String

    init(_ record: SessionRecord, assertion: String) {
        subject = record.account.id.rawValue
        email = record.account.email.typed
        name = record.account.displayName
        groups = record.account.groups
        self.assertion = assertion
    }

    init(_ token: MachineToken, assertion: String) {
        subject = token.subject
        (email, name, groups) = ("", "", [])
        self.assertion = assertion
    }
}
