extension SecurityEvent.Kind {
    static let accountInvited = Self("account_invited", log: "user_created")
    static let accountDisabled = Self("account_disabled", log: "user_updated")
    static let accountEnabled = Self("account_enabled", log: "user_updated")
    static let accountVerified = Self("account_verified", log: "user_updated")
    static let resetSent = Self("reset_sent", log: "authn_password_reset_sent")
    static let sessionRevoked = Self("session_revoked", log: "authn_token_revoked")
}
