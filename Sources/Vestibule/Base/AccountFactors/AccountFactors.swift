package import Foundation

/// What an account has besides a password and providers.
package struct AccountFactors: Sendable, Equatable {
    /// Oldest first.
    package let passkeys: [Passkey]
    /// One of a kind at most.
    package let keys: [FactorKey]
    /// By which authenticators know the account: 64 bytes. Nil before the first passkey.
    package let userHandle: [UInt8]?
    /// When an operator's removal of all factors takes effect.
    package let removalDueAt: Date?

    package init(
        passkeys: [Passkey] = [], keys: [FactorKey] = [], userHandle: [UInt8]? = nil, removalDueAt: Date? = nil
    ) {
        self.passkeys = passkeys
        self.keys = keys
        self.userHandle = userHandle
        self.removalDueAt = removalDueAt
    }

    package var totp: FactorKey? { key(.totp) }
    package var recoveryCodes: FactorKey? { key(.recoveryCode) }

    func key(_ kind: SecondFactor) -> FactorKey? { keys.first { $0.kind == kind } }

    /// Those that the settings let count: without passkeys where these are off.
    package func counted(passkeys isOn: Bool) -> AccountFactors {
        isOn ? self : AccountFactors(keys: keys, userHandle: userHandle, removalDueAt: removalDueAt)
    }

    /// Whether a password or a provider alone does not open the account, by these settings.
    func asksSecondStep(by policy: FactorPolicy) -> Bool {
        policy.asksSecondFactor && counted(passkeys: policy.takesPasskeys).asksSecondStep
    }

    /// What was added then or later, and the passkey of that id whenever it was made.
    package func added(since moment: Date, orPasskey id: String?) -> AccountFactors {
        AccountFactors(
            passkeys: passkeys.filter { $0.id == id || $0.countsSince >= moment },
            keys: keys.filter { $0.createdAt >= moment })
    }

    /// Since when each second factor has counted. Recovery codes stand in for one and are none.
    var since: [Date] {
        passkeys.filter(\.isSecondFactor).map(\.countsSince)
            + keys.filter { $0.kind != .recoveryCode }.map(\.createdAt)
    }

    /// Whether a password or a provider alone does not open the account.
    package var asksSecondStep: Bool { !since.isEmpty }

    /// Whether there is no passkey, and nothing else that could be asked for.
    package var isEmpty: Bool { passkeys.isEmpty && !asksSecondStep }

    /// What is asked for before the others. Nil if no second step is.
    var strongest: SecondFactor? { offered.first }

    /// What can be the second step, the strongest first; empty if none is asked.
    package var offered: [SecondFactor] { asksSecondStep ? SecondFactor.allCases.filter(has) : [] }

    private func has(_ factor: SecondFactor) -> Bool {
        switch factor {
        // One that a browser made by itself may be on no device that its owner signs in with.
        case .passkey: passkeys.contains(where: \.isSecondFactor)
        case .recoveryCode: (recoveryCodes?.left ?? 0) > 0
        default: key(factor) != nil
        }
    }
}

/// What the settings let count as a second factor.
struct FactorPolicy: Sendable {
    /// False where nobody is asked for one, whatever the account has.
    let asksSecondFactor: Bool
    let takesPasskeys: Bool

    /// What counts as a second factor.
    var counted: FactorPresence { takesPasskeys ? [.key, .passkey] : .key }
}

/// What the settings let people sign in with besides a password.
package struct WaysInUse: Sendable {
    /// The names of the configured providers.
    package let providers: [String]
    package let passkeys: Bool
}
