import Essentials

/// A setting whose name holds a name of the operator's own: `VESTIBULE_APP_<NAME>_ORIGINS`.
package protocol NamedSetting: RawRepresentable<String>, CaseIterable, Sendable {
    /// What stands before the operator's name.
    static var prefix: String { get }
    /// Names that the operator cannot choose.
    static var reserved: [String] { get }
    /// One line for the list of settings.
    var meaning: String { get }
}

extension NamedSetting {
    package static var reserved: [String] { [] }

    /// The environment name for what the operator calls so.
    package func name(of owner: String) -> String {
        "\(Self.prefix)\(owner)_\(rawValue)"
    }

    /// The operator's name in a setting's name: 1 to 32 capital letters and digits. Returns nil if
    /// it is another kind of setting.
    static func owner(in name: String) -> String? {
        guard let rest = name.after(prefix) else { return nil }
        let owners = allCases.lazy.compactMap { rest.before("_\($0.rawValue)") }
        return owners.map(String.init).first { owner in
            (1...32).contains(owner.utf8.count) && !reserved.contains(owner)
                && owner.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
        }
    }

    /// What is wrong with a name whose part of the operator's own has other characters, or cannot
    /// be chosen; nil for every other name.
    static func misnamed(_ name: String) -> SettingFault? {
        guard let rest = name.after(prefix) else { return nil }
        let known = allCases.compactMap { each in rest.before("_\(each.rawValue)").map { ($0, each) } }
        // The longest name that there is leaves the least for the operator's part.
        guard let (owner, setting) = known.min(by: { $0.0.utf8.count < $1.0.utf8.count }) else { return nil }
        let letters = owner.utf8.filter(\.isASCIILetterOrDigit).map { (97...122).contains($0) ? $0 - 32 : $0 }
        let plain = String(decoding: letters, as: UTF8.self)
        guard !reserved.contains(plain) else {
            return SettingFault(name, "is not a setting: \(plain) is a name of ours", hint: "Choose another name.")
        }
        guard self.owner(in: setting.name(of: plain)) != nil else { return nil }
        let label = allCases.contains { $0.rawValue == "LABEL" } ? "; \(prefix)\(plain)_LABEL is what people read" : ""
        return SettingFault(
            name, "is not a setting: the name in it, \(owner), may have capital letters and digits only",
            hint: "Write \(setting.name(of: plain))\(label).")
    }

    /// All of the operator's name in an unknown name.
    static func names(nearTo name: String) -> [String] {
        let owner = name.after(prefix)?.utf8.prefix { $0 != UInt8(ascii: "_") }
        return owner.flatMap { String($0) }.map { owner in allCases.map { $0.name(of: owner) } } ?? []
    }
}

/// The settings of an OpenID provider, whose name is a part of theirs:
/// `VESTIBULE_OIDC_<NAME>_ISSUER` and so on.
package enum ProviderSetting: String, NamedSetting {
    case issuer = "ISSUER"
    case clientID = "CLIENT_ID"
    case clientSecret = "CLIENT_SECRET"
    case label = "LABEL"
    case appIDs = "APP_IDS"

    package static let prefix = "VESTIBULE_OIDC_"
    /// Paths of our own have these names.
    package static let reserved = ["APPLE", "CONTINUE"]

    package var meaning: String {
        switch self {
        case .issuer: "issuer of an OpenID provider, an https URL; NAME is yours to choose, letters and digits"
        case .clientID: "the client id the provider gave you"
        case .clientSecret: "the client secret the provider gave you"
        case .label: "what people call the provider; default NAME with one capital, such as Example"
        case .appIDs: "client ids of native apps that may ask it for tokens for this site, separated by commas"
        }
    }
}

/// The settings of an application behind this site, whose name is a part of theirs:
/// `VESTIBULE_APP_<NAME>_ORIGINS` and so on.
package enum ApplicationSetting: String, NamedSetting {
    case origins = "ORIGINS"
    case label = "LABEL"
    case icon = "ICON"
    case groups = "GROUPS"
    case headers = "HEADERS"
    case redirects = "REDIRECTS"
    case client = "CLIENT"
    case pkce = "PKCE"
    case idToken = "ID_TOKEN"
    case offline = "OFFLINE"
    case logoutURL = "LOGOUT_URL"
    case logoutRedirects = "LOGOUT_REDIRECTS"
    case trusted = "TRUSTED"

    package static let prefix = "VESTIBULE_APP_"

    package var meaning: String {
        switch self {
        case .origins:
            "exact origins of an application behind this site, separated by commas; NAME is yours, letters and digits"
        case .label: "what pages call the application; default NAME with one capital, such as Notes"
        case .icon: "a picture in Public/ that pages show beside the label, such as notes.svg; default its first letter"
        case .groups: "members of one of these groups only, separated by commas; default anybody who is signed in"
        case .headers: "assertion or plain; plain gives the Remote-* headers as well; default assertion"
        case .redirects: "exact redirect URIs of an application that signs in by OpenID Connect, separated by commas"
        case .client: "confidential or public; public has no secret and always PKCE; default confidential"
        case .pkce: "required or optional, the latter for confidential clients only; default required"
        case .idToken: "RS256 or ES256, which signs its ID tokens; default RS256"
        case .offline: "on gives refresh tokens for the scope offline_access; default off"
        case .logoutURL: "where it is told that a session has ended (back-channel logout); default none"
        case .logoutRedirects: "exact URIs where a sign-out it asks for may lead, separated by commas; default none"
        case .trusted: "on: people are not asked before they enter for the first time; default off"
        }
    }
}

/// The settings of a program that is told what happens, whose name is a part of theirs:
/// `VESTIBULE_WEBHOOK_<NAME>_URL` and so on.
package enum WebhookSetting: String, NamedSetting {
    case url = "URL"
    case events = "EVENTS"
    case secretFile = "SECRET_FILE"

    package static let prefix = "VESTIBULE_WEBHOOK_"

    package var meaning: String {
        switch self {
        case .url: "where a program of yours is told what happens: https, or http on this machine; NAME is yours"
        case .events: "what it is told, separated by commas, such as account.deleted, session.ended; default everything"
        case .secretFile: "file with whsec_ secrets, a line each, that sign by HMAC; default Ed25519 with a key of ours"
        }
    }
}
