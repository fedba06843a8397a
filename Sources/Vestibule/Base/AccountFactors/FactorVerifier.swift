import Essentials

/// What somebody sent to prove a second factor.
enum FactorAttempt: Sendable {
    /// As typed: of an authenticator app, or a recovery code; of that kind alone, if one is named.
    case code(String, as: SecondFactor? = nil)
    /// An authenticator's response in JSON, and the challenge that this browser was given, if it
    /// was given one that still counts.
    case passkey(response: String, PasskeyChallenge?)

    /// What a wrong one is refused with.
    var refusal: Refusal {
        switch self {
        case .code: .secondCodeWrong
        case .passkey: .passkeyRefused
        }
    }
}

/// A challenge that was given out to one browser, and may be answered once.
struct PasskeyChallenge: Sendable {
    /// 32 random bytes.
    let bytes: [UInt8]
    /// Of the account that a passkey is to be made for; empty otherwise.
    let userHandle: [UInt8]
    let once: Once
}

/// Checks one kind of second factor.
protocol FactorVerifier: Sendable {
    /// What is to be noted as used if the attempt is right. Returns nil if it is wrong, of another
    /// kind, or of a factor that the account does not have.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) async throws -> FactorUse?
}

extension [any FactorVerifier] {
    /// Of the first that finds the attempt right.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) async throws -> FactorUse? {
        for verifier in self {
            let use = try await verifier.use(attempt, of: factors, accountID: accountID, visitor: visitor)
            if let use { return use }
        }
        return nil
    }
}
