extension Migration {
    /// Which server is sending a mail: its report counts only as long as no other has taken the
    /// mail.
    static let mailLeases = Migration(
        "013 mail leases",
        "ALTER TABLE outbox ADD COLUMN leased_by TEXT",
        // A server of a version before this one has stopped, or nobody could migrate.
        "UPDATE outbox SET due_at = created_at WHERE leased = 1",
        "ALTER TABLE outbox DROP COLUMN leased"
    )

    /// What must hold is checked by the database, too. Words that grow with every feature (kinds of
    /// mail and of event) are not listed.
    static let checks = Migration("014 checks") { database in
        for table in TableRebuild.accounts + TableRebuild.codeFlows + TableRebuild.operation { try table.run(database) }
    }
}
