import GRDB

/// The numbered migrations, forward only. Times are milliseconds since 1970, digests and hashes are
/// blobs or PHC text.
enum Schema {
    /// From the oldest to the newest.
    static let migrations: [Migration] = [
        .frontDoor, .passwordReset, .accountLife, .identities, .mailedResets, .knownBrowsers, .sumsOfFailures, .proofs,
        .databaseID, .mailOrder, .reachOfLimits, .flows, .mailLeases, .checks, .handOver, .signingKeysGroupsTokens,
        .factors, .nodes, .nodeKeyIDs, .presentedTokens, .useOfWays,
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations { migrator.registerMigration(migration.name, migrate: migration.run) }
        return migrator
    }
}
