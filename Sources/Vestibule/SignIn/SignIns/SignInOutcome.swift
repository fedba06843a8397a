package import Essentials
package import Foundation
package import PasswordHashing

/// What a right first step led to.
enum SignInOutcome: Sendable {
    case signedIn(SignIn)
    case secondStep(SecondStepStart)
}

/// A login that waits for its second step.
struct SecondStepStart: Sendable {
    /// For the browser or the app.
    let flow: Token
    /// What may be sent, in the order in which it is offered.
    let methods: [SecondFactor]
}

/// The second step that a login ends with.
package struct SecondStepEnd: Sendable {
    package let flow: TokenDigest
    /// The browser that may leave the second step out, and until when.
    package var trust: (browser: TokenDigest, until: Date)?
}

extension CodeFlowKind {
    /// A login that waits for its second step. Only the browser's cookie knows it as a flow.
    static let secondStep = CodeFlowKind(name: "logins", letter: "l")
}

/// A successful sign-in: what the browser gets.
struct SignIn: Sendable {
    let account: Account
    let token: Token
    /// Its id is not the stored one where the browser's session goes on.
    let session: Session
    /// The browser is known from now on.
    let device: DeviceCookie?
    /// Where the visitor wanted to go; already checked.
    let destination: String?
}

/// What a sign-up makes in one transaction.
package struct NewAccount: Sendable {
    package let account: Account
    /// `nil` for somebody who signs in through a provider.
    package let passwordHash: PasswordHash?
    package let consent: Consent
    package let session: NewSession
    package let events: [SecurityEvent]
}
