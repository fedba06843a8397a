import Essentials
import Foundation

extension Settings {
    static func applications(
        _ read: SettingsReader, named names: [String]
    ) throws(SettingFault) -> [ProtectedApplication] {
        var applications: [ProtectedApplication] = []
        for name in names {
            let application = try application(read, name)
            for other in applications {
                guard let shared = application.origins.first(where: other.origins.contains) else { continue }
                throw SettingFault(
                    ApplicationSetting.origins.name(of: name), "names \(shared.text), as \(other.label) does",
                    hint: "An origin belongs to one application.")
            }
            applications.append(application)
        }
        return applications
    }

    private static func application(
        _ read: SettingsReader, _ name: String
    ) throws(SettingFault) -> ProtectedApplication {
        let label = try words(read, ApplicationSetting.label.name(of: name)) ?? name.asciiLowercased.capitalized
        return ProtectedApplication(
            name: name.asciiLowercased, origins: try origins(read, name), label: label, groups: try groups(read, name),
            wantsPlainHeaders: try wantsPlainHeaders(read, name))
    }

    private static func origins(_ read: SettingsReader, _ name: String) throws(SettingFault) -> [Origin] {
        let setting = ApplicationSetting.origins.name(of: name)
        let texts = read.list(named: setting)
        guard !texts.isEmpty else {
            throw SettingFault(setting, "is not set", hint: "\(ApplicationSetting.origins.meaning).")
        }
        var origins: [Origin] = []
        for text in texts {
            guard let origin = Origin(text), origin.isNamedByProxies, !origins.contains(origin) else {
                throw SettingFault(
                    setting, "has \"\(text)\"", hint: "Origins such as https://notes.example.com, each once.")
            }
            origins.append(origin)
        }
        return origins
    }

    private static func groups(_ read: SettingsReader, _ name: String) throws(SettingFault) -> [String] {
        let setting = ApplicationSetting.groups.name(of: name)
        let groups = read.list(named: setting)
        let isSet = read.text(setting) != nil
        // A list of nothing but commas would let everybody in.
        guard groups.allSatisfy({ GroupName($0) != nil }), isSet == !groups.isEmpty else {
            throw SettingFault(
                setting, "is \"\(groups.joined(separator: ","))\"",
                hint: "Names separated by commas: 1 to 64 letters, digits, dashes, underscores and dots.")
        }
        return groups
    }

    private static func wantsPlainHeaders(_ read: SettingsReader, _ name: String) throws(SettingFault) -> Bool {
        let setting = ApplicationSetting.headers.name(of: name)
        switch read.text(setting) {
        case nil, "assertion"?: return false
        case "plain"?: return true
        case let text?: throw SettingFault(setting, "is \"\(text)\"", hint: "One of: assertion, plain.")
        }
    }
}

extension Origin {
    /// Whether a proxy can name it: a host with a wildcard, say, would never be found.
    fileprivate var isNamedByProxies: Bool {
        Origin(scheme: isSecure ? "https" : "http", authority: authority) == self
    }
}
