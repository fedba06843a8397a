extension Migration {
    /// What must hold is checked by the database, too. Words that grow with every feature (kinds of
    /// mail and of event) are not listed.
    static let checks = Migration("014 checks") { database in
        for table in TableRebuild.accounts + TableRebuild.codeFlows + TableRebuild.operation { try table.run(database) }
    }
}
