extension SecurityEvent.Kind {
    static let passwordReset = Self("password_reset", log: "authn_password_change")
}
