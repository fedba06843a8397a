import Essentials

/// Reads settings as typed values. What cannot stand is noted, by name and with what is allowed,
/// and something else is returned for it, so that all faults of one start are found together.
final class SettingsReader {
    /// What each source says, by name; the nearest first.
    private let sources: [[String: String]]
    /// Where the key is that development has made; nil where there is none.
    let keyFile: String?
    private(set) var faults: [SettingFault] = []

    init(_ sources: [[String: String]], keyFile: String? = nil) {
        self.sources = sources
        self.keyFile = keyFile
    }

    func note(_ fault: SettingFault) {
        faults.append(fault)
    }

    func note(_ name: String, _ problem: String, hint: String) {
        note(SettingFault(name, problem, hint: hint))
    }

    func note(_ setting: Setting, _ problem: String, hint: String? = nil) {
        note(SettingFault(setting, problem, hint: hint))
    }

    /// The value, or the default.
    func text(_ setting: Setting) -> String? {
        text(setting.rawValue) ?? setting.standard
    }

    /// A value by its environment name; `nil` when it is not set or empty.
    func text(_ name: String) -> String? { sources.lazy.compactMap { $0[name] }.first }

    func isSet(_ setting: Setting) -> Bool { text(setting.rawValue) != nil }

    /// The value or the default; nil, and noted, where there is neither.
    func required(_ setting: Setting) -> String? {
        if let value = text(setting) { return value }
        note(setting, "is not set")
        return nil
    }

    /// The least of the range stands for a wrong one.
    func integer(_ setting: Setting, in range: ClosedRange<Int>, else standard: Int? = nil) -> Int {
        if let standard, text(setting) == nil { return standard }
        let hint = "A whole number from \(range.lowerBound) to \(range.upperBound)."
        return value(setting, hint: hint) { Int($0).flatMap { range.contains($0) ? $0 : nil } } ?? range.lowerBound
    }

    /// What `read` makes of the text; nil, and noted, when it makes nothing of it.
    func value<Value>(_ setting: Setting, hint: String? = nil, _ read: (String) -> Value?) -> Value? {
        guard let text = required(setting) else { return nil }
        let value = read(text)
        if value == nil { note(setting, "is \"\(text)\"", hint: hint) }
        return value
    }

    /// The same of a list, without those of which it makes nothing.
    func values<Value>(
        _ setting: Setting, of texts: [String]? = nil, hint: String, _ read: (String) -> Value?
    ) -> [Value] {
        (texts ?? list(setting)).compactMap { text in
            let value = read(text)
            if value == nil { note(setting, "has \"\(text)\"", hint: hint) }
            return value
        }
    }

    /// One of these words, in capitals, too; the first stands for a wrong one.
    func choice<Value>(_ setting: Setting, _ values: KeyValuePairs<String, Value>) -> Value {
        let allowed = values.map(\.key).joined(separator: ", ")
        let chosen = value(setting, hint: "One of: \(allowed).") { text in
            values.first { $0.key == text.asciiLowercased }?.value
        }
        return chosen ?? values[0].value
    }

    /// `on` or `off`, which `yes`, `true`, `no` and `false` say, too.
    func isOn(_ setting: Setting) -> Bool {
        let words = ["on": true, "yes": true, "true": true, "off": false, "no": false, "false": false]
        return value(setting, hint: "One of: on, off.") { words[$0.asciiLowercased] } ?? false
    }

    func duration(
        _ setting: Setting, atLeast least: Duration = .seconds(1),
        hint: String = "A number and s, m, h or d, such as 12h or 30d; at least 1s."
    ) -> Duration {
        value(setting, hint: hint) { Period($0).flatMap { $0.duration >= least ? $0.duration : nil } } ?? least
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
    func limits(_ setting: Setting, keys: [Limit.Key]) -> [Limit] {
        guard let text = required(setting), text.asciiLowercased != "off" else { return [] }
        let hint =
            "amount/period/key such as 10/15m/address, several joined by commas, or off; "
            + "keys: \(keys.map(\.rawValue).joined(separator: ", "))."
        return values(setting, of: text.parts(by: ",").map(\.trimmingSpaces), hint: hint) { text in
            Limit(text).flatMap { keys.contains($0.key) ? $0 : nil }
        }
    }
}

/// A setting that stops the start: which one, what is wrong, what is allowed.
package struct SettingFault: Sendable, Equatable, CustomStringConvertible {
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

/// All that is wrong with the settings, at least one thing.
package struct SettingFaults: Error, Sendable, Equatable {
    package let all: [SettingFault]
}
