/// A flow that waits for a code, as far as its tries go.
package protocol PendingCode: Sendable {
    /// Tries that were used.
    var attempts: Int { get }
}

extension PendingCode {
    package var triesLeft: Int { max(0, Code.attempts - attempts) }
    /// No tries are left, whatever code is sent again.
    package var isSpent: Bool { triesLeft == 0 }
}

extension PendingSignup: PendingCode {}
extension PendingReset: PendingCode {}
extension PendingEmailChange: PendingCode {}
extension PendingEmailUndo: PendingCode {}
