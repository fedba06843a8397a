import Logging

/// Ends at the provider what ended here; best effort, with the time limit of an outbound call.
struct ProviderRevocation: Sendable {
    let needs: Needs

    /// Sealed refresh tokens with their providers' names. What does not work is logged.
    func revoke(_ tokens: [(provider: String, sealed: [UInt8])]) async {
        for (name, sealed) in tokens {
            do {
                guard let provider = needs.providers.named(name) else { continue }
                try await provider.revoke(ProviderGrant(sealed: sealed, needs.secretKey), now: needs.now())
            } catch {
                needs.logger.warning(
                    "provider token not revoked",
                    metadata: [
                        "event": "provider_revocation_fail", "provider": "\(name)",
                        "error": "\((error as? ProviderFault)?.reason ?? "\(error)")",
                    ]
                )
            }
        }
    }
}
