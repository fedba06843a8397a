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
    }

    /// The part of the path: `/auth/{name}`.
    package let name: String
    /// What people call it.
    package let label: String
    /// Its issuer, without a slash at the end unless it says so itself.
    package let issuer: String
    let clientID: String
    let proof: Proof
    /// Audiences of tokens that native apps bring, besides `clientID`.
    let appIDs: [String]

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

/// The settings of an OpenID provider, whose name is a part of theirs:
/// `VESTIBULE_OIDC_<NAME>_ISSUER` and so on.
package enum ProviderSetting: String, CaseIterable, Sendable {
    case issuer = "ISSUER"
    case clientID = "CLIENT_ID"
    case clientSecret = "CLIENT_SECRET"
    case label = "LABEL"

    private static let prefix = "VESTIBULE_OIDC_"
    /// Names that paths of our own have.
    private static let reserved = ["APPLE", "CONTINUE"]

    /// The environment name for that provider.
    package func name(of provider: String) -> String {
        "\(Self.prefix)\(provider)_\(rawValue)"
    }

    /// One line for the list of settings.
    package var meaning: String {
        switch self {
        case .issuer: "issuer of an OpenID provider, an https URL; NAME is yours to choose, letters and digits"
        case .clientID: "the client id the provider gave you"
        case .clientSecret: "the client secret the provider gave you"
        case .label: "what people call the provider; default NAME"
        }
    }

    /// The provider's name in a setting's name; `nil` when it is none of these.
    package static func provider(in name: String) -> String? {
        allCases.lazy.compactMap { SettingName.part(of: name, between: prefix, and: "_\($0.rawValue)") }
            .first { !reserved.contains($0) }
    }
}
