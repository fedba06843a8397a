extension SecurityEvent.Kind {
    package static let login = Self("login", log: "authn_login_success")
    static let logout = Self("logout", log: "session_logout")
    static let sessionEnded = Self("session_ended", log: "authn_token_revoked")
}
