import Configuration
import Essentials
import Serving

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
        guard let text = text(setting) else {
            guard let standard else { throw SettingFault(setting, "is not set") }
            return standard
        }
        guard let value = Int(text), range.contains(value) else {
            throw SettingFault(
                setting, "is \"\(text)\"", hint: "A whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return value
    }

    func choice<Value>(_ setting: Setting, _ values: KeyValuePairs<String, Value>) throws(SettingFault) -> Value {
        let text = try required(setting)
        guard let value = values.first(where: { $0.key == text })?.value else {
            let allowed = values.map(\.key).joined(separator: ", ")
            throw SettingFault(setting, "is \"\(text)\"", hint: "One of: \(allowed).")
        }
        return value
    }

    func duration(_ setting: Setting) throws(SettingFault) -> Duration {
        let text = try required(setting)
        guard let value = Period(text), value.duration > .zero else {
            throw SettingFault(setting, "is \"\(text)\"", hint: "A number and s, m, h or d, such as 12h or 30d.")
        }
        return value.duration
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
        var limits: [Limit] = []
        for part in text.parts(by: ",") {
            guard let limit = Limit(part.trimmingSpaces), keys.contains(limit.key) else {
                throw SettingFault(
                    setting, "has \"\(part.trimmingSpaces)\"",
                    hint: "amount/period/key such as 10/15m/address, several joined by commas, or off; "
                        + "keys: \(keys.map(\.rawValue).joined(separator: ", "))."
                )
            }
            limits.append(limit)
        }
        return limits
    }
}
