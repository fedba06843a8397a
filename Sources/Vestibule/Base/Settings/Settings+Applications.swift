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
            wantsPlainHeaders: wantsPlainHeaders(read, name))
    }

    private static func origins(_ read: SettingsReader, _ name: String) -> [Origin] {
        let setting = ApplicationSetting.origins.name(of: name)
        let texts = read.list(named: setting)
        if texts.isEmpty { read.note(setting, "is not set", hint: "\(ApplicationSetting.origins.meaning).") }
        var origins: [Origin] = []
        for text in texts {
            guard let origin = Origin(text), origin.isNamedByProxies, !origins.contains(origin) else {
                read.note(setting, "has \"\(text)\"", hint: "Origins such as https://notes.example.com, each once.")
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
        let setting = ApplicationSetting.headers.name(of: name)
        let text = read.text(setting) ?? "assertion"
        if !["assertion", "plain"].contains(text) {
            read.note(setting, "is \"\(text)\"", hint: "One of: assertion, plain.")
        }
        return text == "plain"
    }
}

extension Origin {
    /// Whether a proxy can name it: a host with a wildcard, say, would never be found.
    fileprivate var isNamedByProxies: Bool {
        Origin(scheme: isSecure ? "https" : "http", authority: authority) == self
    }
}
