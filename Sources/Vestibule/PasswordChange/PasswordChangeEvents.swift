extension SecurityEvent.Kind {
    static let passwordChanged = Self("password_changed", log: "authn_password_change")
}
