import Essentials
import Foundation

extension Settings {
    static func applications(_ read: SettingsReader, named names: [String]) -> [ProtectedApplication] {
        var applications: [ProtectedApplication] = []
        for name in names {
            let application = application(read, name)
            for other in applications {
                guard let shared = application.origins.first(where: other.origins.contains) else { continue }
                read.note(
                    ApplicationSetting.origins.name(of: name),
                    "names \(shared.text), as \(other.label) does", hint: "An origin belongs to one application.")
            }
            applications.append(application)
        }
        return applications
    }

    private static func application(_ read: SettingsReader, _ name: String) -> ProtectedApplication {
        let label = words(read, ApplicationSetting.label.name(of: name)) ?? name.asciiLowercased.capitalized
        return ProtectedApplication(
            name: name.asciiLowercased, origins: origins(read, name), label: label,
            icon: read.text(ApplicationSetting.icon.name(of: name)), groups: groups(read, name),
            wantsPlainHeaders: wantsPlainHeaders(read, name), client: client(read, name))
    }

    private static func origins(_ read: SettingsReader, _ name: String) -> [Origin] {
        let setting = ApplicationSetting.origins.name(of: name)
        let texts = read.list(named: setting)
        let redirects = ApplicationSetting.redirects.name(of: name)
        if texts.isEmpty, read.text(redirects) == nil {
            read.note(setting, "is not set", hint: "Nor is \(redirects): an application has one of the two, or both.")
        }
        var origins: [Origin] = []
        for text in texts {
            guard let origin = Origin(text), origin.isNamedByProxies, !origins.contains(origin) else {
                let hasPath = Origin(text) == nil && Origin(ofURL: text) != nil
                let hint =
                    if hasPath {
                        "An origin has no path; the proxy says which pages need a sign-in."
                    } else if Origin(text)?.hasFinalDot == true {
                        Origin.finalDotHint
                    } else {
                        "Origins such as https://notes.example.com, each once."
                    }
                read.note(setting, "has \"\(text)\"", hint: hint)
                continue
            }
            origins.append(origin)
        }
        return origins
    }

    private static func groups(_ read: SettingsReader, _ name: String) -> [String] {
        let setting = ApplicationSetting.groups.name(of: name)
        let groups = read.list(named: setting)
        let isSet = read.text(setting) != nil
        // A list of nothing but commas would let everybody in.
        if !groups.allSatisfy({ GroupName($0) != nil }) || isSet == groups.isEmpty {
            read.note(
                setting, "is \"\(groups.joined(separator: ","))\"",
                hint: "Names separated by commas: 1 to 64 letters, digits, dashes, underscores and dots.")
        }
        return groups
    }

    private static func wantsPlainHeaders(_ read: SettingsReader, _ name: String) -> Bool {
        choice(read, .headers, of: name, ["assertion": false, "plain": true])
    }
}

extension Origin {
    /// Whether a proxy can name it: a host with a wildcard, say, would never be found.
    fileprivate var isNamedByProxies: Bool {
        Origin(scheme: isSecure ? "https" : "http", authority: authority) == self && !hasFinalDot
    }

    static let finalDotHint = "Leave out the dot at the end of the host."
}

extension Settings {
    private static let clientSettings: [ApplicationSetting] = [
        .client, .pkce, .idToken, .offline, .logoutURL, .logoutRedirects, .trusted,
    ]

    /// The application as a client of OpenID Connect. Returns nil if it has no redirect.
    static func client(_ read: SettingsReader, _ name: String) -> OpenIDClient? {
        let setting = ApplicationSetting.redirects.name(of: name)
        guard read.text(setting) != nil else {
            for other in clientSettings.map({ $0.name(of: name) }) where read.text(other) != nil {
                read.note(other, "is set, but \(setting) is not", hint: "\(ApplicationSetting.redirects.meaning).")
            }
            return nil
        }
        let redirects = redirects(read, setting)
        if read.list(named: setting).isEmpty { read.note(setting, "names nothing", hint: redirectHint) }
        var client = OpenIDClient(redirects: redirects)
        client.isPublic = choice(read, .client, of: name, ["confidential": false, "public": true])
        client.requiresPKCE = choice(read, .pkce, of: name, ["required": true, "optional": false])
        if client.isPublic, !client.requiresPKCE {
            read.note(
                ApplicationSetting.pkce.name(of: name), "is optional, and the client is public",
                hint: "Without a secret nothing else shows that the client which asked is the one that gets the token.")
        }
        client.algorithm = choice(read, .idToken, of: name, ["RS256": .rs256, "ES256": .es256])
        client.offersOffline = choice(read, .offline, of: name, ["off": false, "on": true])
        client.isTrusted = choice(read, .trusted, of: name, ["off": false, "on": true])
        client.logoutURL = receiverURL(
            read, ApplicationSetting.logoutURL.name(of: name), example: "https://notes.example.com/signed-out")
        client.logoutRedirects = self.redirects(read, ApplicationSetting.logoutRedirects.name(of: name))
        return client
    }

    private static let redirectHint =
        "Whole URIs without a fragment, each once: https://…, http://127.0.0.1/… or http://localhost/… with any port, "
        + "or a scheme of an app such as com.example.notes:/signed-in."

    private static func redirects(_ read: SettingsReader, _ setting: String) -> [ClientRedirect] {
        var redirects: [ClientRedirect] = []
        for text in read.list(named: setting) {
            guard let redirect = ClientRedirect(text), !redirects.contains(redirect) else {
                read.note(setting, "has \"\(text)\"", hint: redirectHint)
                continue
            }
            redirects.append(redirect)
        }
        return redirects
    }

    /// One of these words; the first stands for none, and for a wrong one, which is noted.
    static func choice<Value>(
        _ read: SettingsReader, _ setting: ApplicationSetting, of owner: String, _ values: KeyValuePairs<String, Value>
    ) -> Value {
        let name = setting.name(of: owner)
        guard let text = read.text(name) else { return values[0].value }
        if let chosen = values.first(where: { $0.key.isExactly(text) }) { return chosen.value }
        read.note(name, "is \"\(text)\"", hint: "One of: \(values.map(\.key).joined(separator: ", ")).")
        return values[0].value
    }
}
