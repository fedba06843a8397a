package import Essentials
package import Foundation
package import Logging

/// Ends at the provider what ended here; best effort, with the time limit of an outbound call.
package struct ProviderRevocation: Sendable {
    private let providers: Providers
    private let key: SecretKey
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(providers: Providers, key: SecretKey, logger: Logger, now: @escaping @Sendable () -> Date) {
        (self.providers, self.key, self.logger, self.now) = (providers, key, logger, now)
    }

    /// Revokes all at once, and logs what fails. The answer with the session's new token waits for
    /// it, and must be sent before the connection times out.
    func revoke(_ identities: [LinkedIdentity]) async {
        await withTaskGroup { group in
            for case let (identity, token?) in identities.map({ ($0.identity, $0.refreshToken) }) {
                group.addTask { await revoke(identity, token) }
            }
        }
    }

    private func revoke(_ identity: Identity, _ token: [UInt8]) async {
        do {
            guard let provider = providers.named(identity.provider) else { return }
            let grant = try ProviderGrant(token, key, issuer: identity.issuer, subject: identity.subject)
            try await provider.revoke(grant, now: now())
        } catch {
            logger.warning(
                "provider token not revoked",
                metadata: [
                    "event": "provider_revocation_fail", "provider": "\(identity.provider)",
                    "error": "\((error as? ProviderFault)?.reason ?? "\(error)")",
                ]
            )
        }
    }
}

extension Audit {
    /// A sign-in through a provider that did not work out, with its reason.
    func log(_ fault: ProviderFault, provider: String, visitor: Visitor) {
        let event =
            switch fault {
            case .unreachable: "authn_provider_unavailable"
            case .rejected: "authn_provider_rejected"
            }
        write(
            .warning, event, from: visitor.client.description,
            ["provider": "\(provider)", "reason": "\(fault.reason)", "request_id": "\(visitor.requestID)"]
        )
    }
}
