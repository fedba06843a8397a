import Logging

extension SecurityEvent.Kind {
    static let secondStepFailed = Self("second_step_failed", log: "authn_login_fail", .warning)
}
