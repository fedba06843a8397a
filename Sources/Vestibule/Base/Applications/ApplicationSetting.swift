import Essentials

/// The settings of an application behind this site, whose name is a part of theirs:
/// `VESTIBULE_APP_<NAME>_ORIGINS` and so on.
package enum ApplicationSetting: String, CaseIterable, Sendable {
    case origins = "ORIGINS"
    case label = "LABEL"
    case groups = "GROUPS"
    case headers = "HEADERS"

    private static let prefix = "VESTIBULE_APP_"

    /// The environment name for that application.
    package func name(of application: String) -> String {
        "\(Self.prefix)\(application)_\(rawValue)"
    }

    /// One line for the list of settings.
    package var meaning: String {
        switch self {
        case .origins:
            "exact origins of an application behind this site, separated by commas; NAME is yours, letters and digits"
        case .label: "what pages call the application; default NAME"
        case .groups: "members of one of these groups only, separated by commas; default anybody who is signed in"
        case .headers: "assertion or plain; plain gives the Remote-* headers as well; default assertion"
        }
    }

    /// The application's name in a setting's name; nil if it is another kind of setting.
    package static func application(in name: String) -> String? {
        allCases.lazy.compactMap { SettingName.part(of: name, between: prefix, and: "_\($0.rawValue)") }.first
    }
}
