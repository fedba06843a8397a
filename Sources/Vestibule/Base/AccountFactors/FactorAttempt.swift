import Essentials

/// What somebody sent to prove a second factor.
enum FactorAttempt: Sendable {
    /// As typed; of that kind alone, if one is named.
    case code(String, as: SecondFactor? = nil)
    /// An authenticator's response in JSON, and the challenge that this browser was given, if it
    /// was given one that still counts.
    case passkey(response: String, PasskeyChallenge?)

    /// What an empty one is refused with.
    var missing: Refusal? {
        guard case .code(let typed, let named) = self, typed.trimmingSpaces.isEmpty else { return nil }
        return named == .totp ? .appCodeMissing : .secondCodeMissing
    }

    /// What a wrong one is refused with.
    var refusal: Refusal {
        switch self {
        case .code: .secondCodeWrong
        case .passkey: .passkeyRefused
        }
    }

    /// The code, if it may be one of that kind.
    func code(_ kind: SecondFactor) -> String? {
        guard case .code(let typed, let named) = self, named ?? kind == kind else { return nil }
        return typed
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
