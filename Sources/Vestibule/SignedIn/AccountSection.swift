/// The pages of an account.
enum AccountSection: String, CaseIterable, Sendable {
    case profile, security, devices, activity, data

    var path: String { self == .profile ? "/account" : "/account/\(rawValue)" }
    var template: String { self == .profile ? "account" : "account/\(rawValue)" }
}
