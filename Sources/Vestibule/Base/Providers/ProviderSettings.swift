import Essentials
import JWTKit

/// One provider people may sign in with, as configured.
package struct ProviderSettings: Sendable {
    /// How we prove to the provider who we are.
    package enum Proof: Secret, Sendable {
        case secret(String)
        case apple(AppleKey)
    }

    /// What Apple's client secrets are signed with.
    package struct AppleKey: Sendable {
        let teamID: String
        let keyID: String
        let key: ES256PrivateKey
        /// Where the key was read.
        let file: String
    }

    /// The part of the path: `/auth/{name}`.
    let name: String
    /// What people call it.
    let label: String
    /// Its issuer, without a slash at the end unless it says so itself.
    let issuer: String
    let clientID: String
    let proof: Proof
    /// Client ids of native apps. Apple's tokens for them name one as their audience; others', as
    /// the client that a token for us was given to.
    let appIDs: [String]

    /// Audiences of tokens that native apps bring; empty if it takes none.
    var nativeAudiences: [String] { isApple ? appIDs : [clientID] }

    /// Apps that use the site's passkeys, as Apple names them: `TEAMID.com.example.app`.
    var appleApps: [String] {
        guard case .apple(let key) = proof else { return [] }
        return appIDs.map { "\(key.teamID).\($0)" }
    }

    /// Apple answers with a form that is posted across sites, and says the name once.
    var isApple: Bool {
        if case .apple = proof { true } else { false }
    }
}
