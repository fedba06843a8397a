import VestibuleSQL

/// What one node at a time does: names of locks that PostgreSQL keeps for us.
enum AdvisoryLock: Int64 {
    case migration = 1, purge, counters

    /// "vestibul" in ASCII, so that they meet no lock of another program in the same database.
    private static let first: Int64 = 0x7665_7374_6962_756C

    var key: Int64 { Self.first + rawValue }

    /// Takes it until the transaction ends, unless another one has it.
    func isFree(_ connection: PostgresConnection) throws -> Bool {
        try connection.one("SELECT pg_try_advisory_xact_lock($1) AS taken", [key])?["taken"] ?? false
    }
}
