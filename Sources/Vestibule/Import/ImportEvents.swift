extension SecurityEvent.Kind {
    /// Accounts of another system were brought in; of no account.
    package static let accountsImported = Self("accounts_imported", log: "user_created")
}
