import Configuration
import Essentials

/// Where settings come from, nearest first: command-line flags, environment, `.env`, defaults.
package enum SettingsSources {
    /// Reads all of them. Throws `SettingFault` for a `VESTIBULE_*` name that does not exist: a
    /// typo would lose data.
    package static func read(
        flags: [Setting: String],
        environment: [String: String],
        environmentFile: String?
    ) throws(SettingFault) -> Settings {
        let fileValues = try assignments(in: environmentFile ?? "")
        let names = environment.keys.sorted() + fileValues.keys.sorted()
        try refuseUnknown(names)
        let flagValues = Dictionary(uniqueKeysWithValues: flags.map { ($0.key.rawValue, $0.value) })
        return try Settings(
            ConfigReader(providers: [
                EnvironmentVariablesProvider(environmentVariables: flagValues),
                EnvironmentVariablesProvider(environmentVariables: environment),
                EnvironmentVariablesProvider(environmentVariables: fileValues),
            ]),
            providers: Set(names.compactMap(ProviderSetting.owner(in:))).sorted(),
            applications: Set(names.compactMap(ApplicationSetting.owner(in:))).sorted()
        )
    }

    /// What `.env` says. Throws for a line that says nothing, and for a name that comes twice.
    private static func assignments(in file: String) throws(SettingFault) -> [String: String] {
        var values: [String: String] = [:]
        for (index, line) in file.textLines.enumerated()
        where !line.trimmingSpaces.isEmpty && !line.trimmingSpaces.begins(with: "#") {
            guard let (name, value) = assignment(in: line) else {
                throw SettingFault(".env", "line \(index + 1) is not NAME=value", hint: "Comments begin with #.")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw SettingFault(name, "comes twice in .env", hint: "Line \(index + 1) says it again.")
            }
        }
        return values
    }

    /// `NAME=value`, as a shell would take it, too (`export NAME=value`), with one pair of quotes
    /// taken off, which the library's own reader of such files leaves on.
    private static func assignment(in line: Substring) -> (String, String)? {
        var text = line.trimmingSpaces
        if let exported = text.after("export ") { text = exported.trimmingSpaces }
        let parts = text.parts(by: "=", atMost: 2).map(\.trimmingSpaces)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        return (parts[0], unquoted(parts[1], "\"") ?? unquoted(parts[1], "'") ?? parts[1])
    }

    /// What stands between two quotes; nil if it stands between none.
    private static func unquoted(_ value: String, _ quote: String) -> String? {
        value.after(quote)?.before(quote).map(String.init)
    }

    private static func refuseUnknown(_ names: [String]) throws(SettingFault) {
        for name in names where name.asciiLowercased.begins(with: "vestibule_") {
            if let setting = Setting(rawValue: name), setting.rawValue.isExactly(name) { continue }
            guard ProviderSetting.owner(in: name) == nil, ApplicationSetting.owner(in: name) == nil else { continue }
            let nearest = Suggestion.nearest(to: name, among: candidates(for: name))
            throw SettingFault(
                name, "is not a setting",
                hint: nearest.map { "Did you mean \($0)?" } ?? "`vestibule doctor --settings` lists them all.")
        }
    }

    /// All settings there are, those of the OpenID provider or application that an unknown name
    /// begins with included.
    private static func candidates(for name: String) -> [String] {
        Setting.allCases.map(\.rawValue) + ProviderSetting.names(nearTo: name) + ApplicationSetting.names(nearTo: name)
    }
}
