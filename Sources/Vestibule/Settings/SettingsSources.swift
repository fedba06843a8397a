import Configuration
import Foundation

/// Where settings come from, nearest first: command-line flags, environment, `.env`, defaults.
package enum SettingsSources {
    /// Reads all of them. Throws `SettingFault` for a `VESTIBULE_*` name that does not exist: a typo would lose data.
    package static func read(
        flags: [Setting: String],
        environment: [String: String],
        environmentFile: String?
    ) throws(SettingFault) -> Settings {
        var fileValues: [String: String] = [:]
        for line in (environmentFile ?? "").split(whereSeparator: \.isNewline) {
            guard let (name, value) = assignment(in: line) else { continue }
            fileValues[name] = value
        }
        let names = environment.keys.sorted() + fileValues.keys.sorted()
        try refuseUnknown(names)
        let flagValues = Dictionary(uniqueKeysWithValues: flags.map { ($0.key.rawValue, $0.value) })
        return try Settings(
            ConfigReader(providers: [
                EnvironmentVariablesProvider(environmentVariables: flagValues),
                EnvironmentVariablesProvider(environmentVariables: environment),
                EnvironmentVariablesProvider(environmentVariables: fileValues),
            ]),
            providers: Set(names.compactMap(ProviderSetting.provider(in:))).sorted()
        )
    }

    /// `NAME=value`, with one pair of quotes taken off, which the library's own reader of such files leaves on.
    private static func assignment(in line: Substring) -> (String, String)? {
        let text = line.trimmingSpaces
        guard !text.hasPrefix("#"), let equals = text.firstIndex(of: "=") else { return nil }
        let value = text[text.index(after: equals)...].trimmingSpaces
        let quoted = value.count >= 2 && value.first == value.last && (value.first == "\"" || value.first == "'")
        return (text[..<equals].trimmingSpaces, quoted ? String(value.dropFirst().dropLast()) : value)
    }

    private static func refuseUnknown(_ names: [String]) throws(SettingFault) {
        for name in names where name.hasPrefix("VESTIBULE_") && Setting(rawValue: name) == nil {
            guard ProviderSetting.provider(in: name) == nil else { continue }
            let nearest = Setting.allCases.min { distance($0.rawValue, name) < distance($1.rawValue, name) }
            throw SettingFault(name, "is not a setting", hint: "Did you mean \(nearest?.rawValue ?? "VESTIBULE_MODE")?")
        }
    }

    /// Levenshtein distance, for the hint only.
    private static func distance(_ left: String, _ right: String) -> Int {
        let target = Array(right.utf8)
        var row = Array(0...target.count)
        for (i, a) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in target.enumerated() {
                let substitution = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
            }
        }
        return row[target.count]
    }
}
