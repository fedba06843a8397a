import Configuration
import Essentials

/// Reads settings as typed values; every refusal names the setting and what is allowed.
struct SettingsReader {
    let config: ConfigReader

    func text(_ setting: Setting) -> String? {
        let secret = [.secretKey, .secretKeyPrevious, .mailURL, .databaseURL].contains(setting)
        return text(setting.rawValue, isSecret: secret) ?? setting.standard
    }

    /// A value by its environment name; `nil` when it is not set or empty.
    func text(_ name: String, isSecret: Bool = false) -> String? {
        let key = ConfigKey(name.asciiLowercased.parts(by: "_").map(String.init))
        return config.string(forKey: key, isSecret: isSecret).flatMap { $0.isEmpty ? nil : $0 }
    }

    func required(_ setting: Setting) throws(SettingFault) -> String {
        guard let value = text(setting) else { throw SettingFault(setting, "is not set") }
        return value
    }

    func integer(_ setting: Setting, in range: ClosedRange<Int>, else standard: Int? = nil) throws(SettingFault) -> Int
    {
        if let standard, text(setting) == nil { return standard }
        return try value(setting, hint: "A whole number from \(range.lowerBound) to \(range.upperBound).") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// What `read` makes of the text. Throws when it makes nothing of it.
    func value<Value>(
        _ setting: Setting, hint: String? = nil, _ read: (String) -> Value?
    ) throws(SettingFault) -> Value {
        let text = try required(setting)
        guard let value = read(text) else { throw SettingFault(setting, "is \"\(text)\"", hint: hint) }
        return value
    }

    /// The same of a list.
    func values<Value>(
        _ setting: Setting, of texts: [String]? = nil, hint: String, _ read: (String) -> Value?
    ) throws(SettingFault) -> [Value] {
        var values: [Value] = []
        for text in texts ?? list(setting) {
            guard let value = read(text) else { throw SettingFault(setting, "has \"\(text)\"", hint: hint) }
            values.append(value)
        }
        return values
    }

    func choice<Value>(_ setting: Setting, _ values: KeyValuePairs<String, Value>) throws(SettingFault) -> Value {
        let allowed = values.map(\.key).joined(separator: ", ")
        return try value(setting, hint: "One of: \(allowed).") { text in values.first { $0.key == text }?.value }
    }

    func duration(_ setting: Setting) throws(SettingFault) -> Duration {
        try value(setting, hint: "A number and s, m, h or d, such as 12h or 30d.") { text in
            Period(text).flatMap { $0.duration > .zero ? $0.duration : nil }
        }
    }

    func list(_ setting: Setting) -> [String] {
        Self.list(text(setting))
    }

    func list(named name: String) -> [String] {
        Self.list(text(name))
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").parts(by: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
    }

    /// `keys` are those the action has: a limit by any other would never hold.
    func limits(_ setting: Setting, keys: [Limit.Key]) throws(SettingFault) -> [Limit] {
        let text = try required(setting)
        guard text != "off" else { return [] }
        let hint =
            "amount/period/key such as 10/15m/address, several joined by commas, or off; "
            + "keys: \(keys.map(\.rawValue).joined(separator: ", "))."
        return try values(setting, of: text.parts(by: ",").map(\.trimmingSpaces), hint: hint) { text in
            Limit(text).flatMap { keys.contains($0.key) ? $0 : nil }
        }
    }
}

/// A setting that stops the start: which one, what is wrong, what is allowed.
package struct SettingFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let name: String
    let problem: String
    package let hint: String

    init(_ name: String, _ problem: String, hint: String) {
        self.name = name
        self.problem = problem
        self.hint = hint
    }

    package init(_ setting: Setting, _ problem: String, hint: String? = nil) {
        self.init(setting.rawValue, problem, hint: hint ?? "\(setting.rawValue): \(setting.meaning).")
    }

    package var description: String { "\(name) \(problem)" }
}
