import Serving

/// A setting that stops the start: which one, what is wrong, what is allowed.
package struct SettingFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let name: String
    package let problem: String
    package let hint: String

    package init(_ name: String, _ problem: String, hint: String) {
        self.name = name
        self.problem = problem
        self.hint = hint
    }

    package init(_ setting: Setting, _ problem: String, hint: String? = nil) {
        self.init(setting.rawValue, problem, hint: hint ?? "\(setting.rawValue): \(setting.meaning).")
    }

    package var description: String { "\(name) \(problem)" }
}
