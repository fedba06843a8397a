import Foundation
import VestibuleClient

/// An account in memory.
struct StubAccount {
    /// In characters.
    static let passwordMinLength = 8
    var user: User
    var password: Secret
    var factors = Factors()
    var recoveryCodes: Set<Secret> = []
    var awaitsTerms = false
    /// Sessions besides that of the app.
    var devices: [DeviceSession] = []

    /// Somebody who came with Apple or another provider has none.
    var hasPassword: Bool { !password.text.isEmpty }

    var methods: [SecondFactorMethod] {
        let passkey: [SecondFactorMethod] = factors.passkeys.contains(where: \.isSecondFactor) ? [.passkey] : []
        let app: [SecondFactorMethod] = factors.totp == nil ? [] : [.totp]
        return passkey + app + (recoveryCodes.isEmpty ? [] : [.recoveryCode])
    }

    /// The same person, changed.
    mutating func change(name: String? = nil, email: String? = nil) {
        user = User(
            id: user.id, email: email ?? user.email, name: name ?? user.name, createdAt: user.createdAt)
    }
}

/// What waits for a code, or for a second factor.
struct StubFlow {
    enum Purpose {
        case signUp(name: String, password: Secret)
        case secondStep, reset
        case emailChange(of: String)
    }

    let purpose: Purpose
    let email: String
    var code: Secret?
    var tries = 0
    var awaitsTerms = false
}
