import Essentials
import Foundation
package import PasswordHashing

/// What a new password must be: good enough, and the same twice where the settings ask for that.
struct NewPasswords: Sendable {
    let judge: PasswordJudge
    let asksTwice: Bool
    let now: @Sendable () -> Date

    /// Why it may not be used; empty when it may. `named` says how a refusal is worded: sign-up
    /// asks for a password, the others for a new one. Throws as `PasswordJudge.refusal` does.
    func refusals(
        _ new: NewPassword, email: String, displayName: String?, client: ClientAddress,
        named: (PasswordRefusal) -> Refusal = Refusal.newPassword
    ) async throws -> [Refusal] {
        let judged = try await judge.refusal(
            of: new.password, email: email, displayName: displayName, client: client, now: now())
        let repeated = asksTwice ? new.password.refusal(ofRepeated: new.confirmation) : nil
        return [judged.map(named), repeated].compactMap { $0 }
    }

    /// The password when it may be used. Throws `Refusals` with the reasons, and as
    /// `PasswordJudge.refusal` does.
    func judged(
        _ new: NewPassword, email: String, displayName: String?, client: ClientAddress
    ) async throws -> Password {
        let refusals = try await refusals(new, email: email, displayName: displayName, client: client)
        guard refusals.isEmpty else { throw Refusals(refusals) }
        return new.password
    }
}

/// A new password as typed, twice where the settings ask for that.
struct NewPassword: Sendable {
    let password: Password
    /// `nil` where nobody was asked to repeat it.
    let confirmation: String?

    init(password: String, confirmation: String?) {
        self.password = Password(password)
        self.confirmation = confirmation
    }
}

/// The hash of a new password, and the account's name that the password was judged with, if it was.
package struct JudgedHash: Sendable {
    package let hash: PasswordHash
    let name: String?

    /// Throws `NameUnjudged` unless the password was judged with that name.
    package func require(_ name: String) throws {
        guard self.name?.isExactly(name) == true else { throw NameUnjudged(name: name) }
    }
}

extension Password {
    /// What is wrong with the password as repeated. Returns nil if it is the same, or if nobody was
    /// asked to repeat it.
    func refusal(ofRepeated text: String?) -> Refusal? {
        guard let text else { return nil }
        if text.isEmpty { return .confirmationMissing }
        // Where the first one is missing there is nothing to compare with.
        return byteCount == 0 || matches(Password(text)) ? nil : .confirmationMismatch
    }
}
