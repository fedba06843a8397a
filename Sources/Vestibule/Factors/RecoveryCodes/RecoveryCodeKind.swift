import Essentials

/// Recovery codes in place of a second factor that was lost.
struct RecoveryCodeKind: FactorKind {
    let key: SecretKey

    var factor: SecondFactor { .recoveryCode }
    var question: String { "second.code_recovery" }

    /// The store knows whether the account has such a code left. Throws `FactorUnreadable`.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) throws -> FactorUse? {
        guard let codes = factors.recoveryCodes, codes.left > 0,
            let code = attempt.code(factor).flatMap(RecoveryCode.init(typed:))
        else { return nil }
        return .code(digest: try RecoveryKey(codes, key, of: accountID).digest(code, of: accountID), of: factor)
    }

    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable] {
        guard let codes = factors.recoveryCodes else { return [:] }
        let facts: JSONObject = [
            "left": codes.left, "created_at": codes.createdAt, "last_used_at": inExport ? codes.lastUsedAt : nil,
        ]
        return ["recovery_codes": facts]
    }

    /// A code is gone for good, so it is mailed.
    func news(of use: FactorUse, on factors: AccountFactors) -> FactorNews {
        let left = max(0, (factors.recoveryCodes?.left ?? 0) - 1)
        return FactorNews(events: [.recoveryCodeUsed], mail: (.recoveryCodeUsed, ["left": "\(left)"]))
    }
}

extension SecurityEvent.Kind {
    static let recoveryCodeUsed = Self("recovery_code_used", log: "authn_recovery_code_used")
}

extension MailContent.Kind {
    static let recoveryCodeUsed = Self("recovery-code-used")
}
