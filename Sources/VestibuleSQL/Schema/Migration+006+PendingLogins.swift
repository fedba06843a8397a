extension Migration {
    /// A passkey that a browser made by itself begins a sign-in of two steps: `proved_by` may be
    /// `passkey`. Each engine changes a CHECK in its own way.
    package static func pendingLogins(_ statements: [String]) -> Migration {
        Migration(number: 6, name: "pending logins by passkey", statements: statements)
    }
}
