extension SecurityEvent.Kind {
    /// A sign-in from a browser that had not signed in to the account before.
    package static let loginNewDevice = Self("login_new_device", log: "authn_login_success")
}
