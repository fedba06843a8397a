extension SecurityEvent.Kind {
    /// The provider's relay does not pass mails on any more.
    static let providerEmailDisabled = Self("provider_email_disabled", log: "user_email_relay_changed")
    /// The provider's relay passes mails on again.
    static let providerEmailEnabled = Self("provider_email_enabled", log: "user_email_relay_changed")
}
