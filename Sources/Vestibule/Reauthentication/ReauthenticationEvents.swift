import Logging

extension SecurityEvent.Kind {
    static let proved = Self("proved", log: "authn_reauthentication")
    static let proofFailed = Self("proof_failed", log: "authn_login_fail", .warning)
}
