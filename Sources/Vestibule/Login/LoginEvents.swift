import Logging

extension SecurityEvent.Kind {
    package static let loginFailed = Self("login_failed", log: "authn_login_fail", .warning)
    static let passwordRehashed = Self("password_rehashed", log: "authn_password_rehash")
}
