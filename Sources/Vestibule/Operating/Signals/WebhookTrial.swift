package import Essentials
import Foundation

/// A webhook that the operator tries: a signal of type `test`, sent once and not kept.
package struct WebhookTrial: Sendable {
    private let target: SignalTarget

    package init(_ webhook: Webhook, key: SecretKey) {
        target = SignalTarget(webhook, key: key)
    }

    /// Returns why it was not delivered; nil if it was.
    package func send() async -> String? {
        defer { target.http.stop() }
        let signal = Signal(
            id: Randomness.system.id(), target: target.name, event: "test", accountID: nil, sessionID: nil,
            createdAt: Date(), attempts: 0)
        return await target.deliver(signal, at: Date())?.reason
    }
}
