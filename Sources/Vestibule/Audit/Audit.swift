package import Essentials
package import Foundation
package import Logging

/// Makes security events and writes the log lines that go with them (OWASP Logging Vocabulary).
package struct Audit: Sendable {
    let logger: Logger
    let random: Randomness
    let now: @Sendable () -> Date
    private let sampler = WarningSampler()

    package init(logger: Logger, random: Randomness, now: @escaping @Sendable () -> Date) {
        self.logger = logger
        self.random = random
        self.now = now
    }

    /// An event of this moment, to be stored in the transaction that caused it.
    package func event(_ kind: SecurityEvent.Kind, accountID: String?, visitor: Visitor) -> SecurityEvent {
        SecurityEvent(
            id: random.id(), kind: kind, accountID: accountID, at: now(), address: visitor.client.description,
            userAgent: visitor.userAgent
        )
    }

    /// The log line of a stored event.
    package func log(_ event: SecurityEvent, visitor: Visitor) {
        let (level, name) = event.kind.logged
        write(
            level, name, from: event.address,
            ["account": "\(event.accountID ?? "unknown")", "request_id": "\(visitor.requestID)"]
        )
    }

    /// A log line for what is not stored, such as a refused request.
    package func log(_ notice: SecurityNotice, visitor: Visitor, path: String) {
        write(
            .warning, notice.rawValue, from: visitor.client.description,
            ["request_id": "\(visitor.requestID)", "request_uri": "\(path.showable(atMost: 200))"]
        )
    }

    /// Writes a line by its OWASP name. Of warnings, which strangers cause at will, the first of a minute; the others are
    /// counted.
    func write(_ level: Logger.Level, _ name: String, from source: String, _ metadata: Logger.Metadata) {
        summarize()
        guard level != .warning || sampler.admits(name, from: source, at: now()) else { return }
        let always: Logger.Metadata = ["event": "\(name)", "source_ip": "\(source)"]
        logger.log(level: level, "\(name)", metadata: metadata.merging(always) { $1 })
    }

    /// One line for each name of which warnings were left out in a minute that is over.
    func summarize() {
        for (name, leftOut) in sampler.finish(at: now()) {
            logger.warning(
                "\(name): \(leftOut) more of these in a minute", metadata: ["event": "\(name)", "count": "\(leftOut)"])
        }
    }
}

/// Refused requests worth a line in the log, by their OWASP names.
package enum SecurityNotice: String, Sendable {
    case crossSite = "malicious_csrf"
    case limited = "excess_rate_limit_exceeded"
    case invalidInput = "input_validation_fail"
    case hashingBusy = "hashing_queue_full"
}

extension SecurityEvent.Kind {
    /// Level and OWASP name of the log line.
    var logged: (Logger.Level, String) {
        switch self {
        case .signup: (.info, "user_created")
        case .login, .loginNewDevice: (.info, "authn_login_success")
        case .loginFailed, .proofFailed: (.warning, "authn_login_fail")
        case .codeFailed: (.warning, "authn_code_fail")
        case .logout: (.info, "session_logout")
        case .termsAccepted: (.info, "terms_accepted")
        case .passwordRehashed: (.info, "authn_password_rehash")
        case .passwordReset, .passwordChanged: (.info, "authn_password_change")
        case .sessionEnded, .sessionRevoked: (.info, "authn_token_revoked")
        case .proved: (.info, "authn_reauthentication")
        case .emailChangeRequested: (.info, "user_email_change_requested")
        case .emailChanged, .emailRestored, .profileChanged: (.info, "user_updated")
        case .identityLinked, .identityUnlinked: (.info, "user_updated")
        case .providerEmailDisabled, .providerEmailEnabled: (.info, "user_email_relay_changed")
        case .exported: (.info, "sensitive_read")
        case .accountDeleted: (.info, "user_deleted")
        case .accountInvited, .accountsImported: (.info, "user_created")
        case .emailUndoLocked: (.warning, "authn_login_lock")
        case .accountDisabled, .accountEnabled, .accountVerified: (.info, "user_updated")
        case .resetSent: (.info, "authn_password_reset_sent")
        }
    }
}
