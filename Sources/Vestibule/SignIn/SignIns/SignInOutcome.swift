package import Essentials
package import Foundation

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
    package let trust: (browser: TokenDigest, until: Date)?

    package init(flow: TokenDigest, trust: (browser: TokenDigest, until: Date)? = nil) {
        (self.flow, self.trust) = (flow, trust)
    }
}

extension CodeFlowKind {
    /// A login that waits for its second step. Only the browser's cookie knows it as a flow.
    static let secondStep = CodeFlowKind(name: "logins", letter: "l")
}
