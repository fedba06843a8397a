import Essentials

/// Prepares what owners are told of a factor that was used.
struct FactorNews: Sendable {
    let mailer: Mailer
    let audit: Audit

    /// Of a use that was right; `factors` are those before it. A recovery code is gone for good, so
    /// it is mailed.
    func of(
        _ use: FactorUse, on factors: AccountFactors, _ account: Account, visitor: Visitor
    ) throws -> (events: [SecurityEvent], mails: [QueuedMail]) {
        var kinds = use.remarks(on: factors.passkeys)
        var mails: [QueuedMail] = []
        if case .recoveryCode = use {
            kinds.append(.recoveryCodeUsed)
            let left = max(0, (factors.recoveryCodes?.left ?? 0) - 1)
            mails.append(try mailer.mail(.recoveryCodeUsed, to: account, ["left": "\(left)"]))
        }
        return (kinds.map { audit.event($0, accountID: account.id, visitor: visitor) }, mails)
    }
}

extension SecurityEvent.Kind {
    static let recoveryCodeUsed = Self("recovery_code_used", log: "authn_login_success")
}

extension MailContent.Kind {
    static let recoveryCodeUsed = Self("recovery-code-used")
}
