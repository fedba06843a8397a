import Essentials

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
