extension Migration {
    /// What a trusted browser calls itself, so that its owner can tell which one it is.
    package static let trustedBrowsers = Migration(
        number: 2, name: "trusted browsers",
        statements: ["ALTER TABLE trusted_browsers ADD COLUMN user_agent TEXT NOT NULL DEFAULT ''"])
}
