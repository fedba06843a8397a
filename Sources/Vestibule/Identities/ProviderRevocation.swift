import Logging

/// Ends at the provider what ended here; best effort, with the time limit of an outbound call.
struct ProviderRevocation: Sendable {
    let needs: Needs

    /// What does not work is logged.
    func revoke(_ tokens: [SealedGrant]) async {
        for token in tokens {
            do {
                guard let provider = needs.providers.named(token.provider) else { continue }
                try await provider.revoke(ProviderGrant(token, needs.secretKey), now: needs.now())
            } catch {
                needs.logger.warning(
                    "provider token not revoked",
                    metadata: [
                        "event": "provider_revocation_fail", "provider": "\(token.provider)",
                        "error": "\((error as? ProviderFault)?.reason ?? "\(error)")",
                    ]
                )
            }
        }
    }
}
