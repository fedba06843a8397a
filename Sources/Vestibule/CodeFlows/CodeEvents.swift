import Logging

extension SecurityEvent.Kind {
    /// A wrong code: of a sign-up, a reset or a new address.
    static let codeFailed = Self("code_failed", log: "authn_code_fail", .warning)
}
