import Essentials
import Foundation
import Logging

/// Keeps what ends a sign-in at Apple when the account ends.
struct NativeGrants: Sendable {
    let store: any IdentityStore
    let audit: Audit
    let key: SecretKey
    let logger: Logger

    /// The token alone says who somebody is: the code is exchanged after the sign-in, and nobody
    /// waits for it. One that is not taken is logged.
    func keep(_ code: String, _ token: IDToken, _ provider: Provider, _ visitor: Visitor) {
        guard provider.settings.isApple else { return }
        // Nor does the request's deadline hold for it.
        Task.detached {
            do {
                guard let grant = try await provider.grant(code, for: token, now: audit.now()) else { return }
                let isKept = try await store.keepRefreshToken(
                    grant.sealed(key, issuer: token.claims.iss, subject: token.claims.sub),
                    issuer: token.claims.iss, subject: token.claims.sub)
                // The account has ended meanwhile.
                if !isKept { try await provider.revoke(grant, now: audit.now()) }
            } catch let fault as ProviderFault {
                audit.log(fault, provider: provider.settings.name, visitor: visitor)
            } catch {
                logger.warning("provider token not kept", metadata: ["error": "\(error)"])
            }
        }
    }
}
