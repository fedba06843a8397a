import VestibuleSQL

/// How a transaction is begun. The commit of one that is durable waits for the standby.
extension Transaction {
    var begin: [String] {
        self == .relaxed
            ? [isolation, "SET LOCAL synchronous_commit = off"] : [isolation, Self.sharedLock, TransactionMark.query]
    }

    /// Begins an urgent one while no other transaction that writes durably is under way: otherwise
    /// constant sign-ins to an account would conflict with every try to change its password. As
    /// they all wait for it, it waits for no lock longer than 200 ms.
    static let exclusive = [
        Transaction.urgent.isolation, "SET LOCAL lock_timeout = '200ms'", "\(lock) EXCLUSIVE MODE",
        TransactionMark.query,
    ]

    /// What begins one that is sent whole, and needs no mark to be found again by.
    var atOnce: [String] {
        switch self {
        case .relaxed: begin
        // One that asks what became of a commit, or waits for the standby, writes no row. It must
        // not wait for an exclusive one.
        case .plain: [isolation]
        case .serializable, .urgent: [isolation, Self.sharedLock]
        }
    }

    /// A table that only migrations write to: a vacuum of a busier one would hold off the lock.
    /// LOCK TABLE takes no snapshot: the next statement does, once the lock is given.
    private static let lock = "LOCK TABLE schema_migrations IN"
    private static let sharedLock = "\(lock) ROW SHARE MODE"

    var isSerializable: Bool { self == .serializable || self == .urgent }

    private var isolation: String {
        "BEGIN ISOLATION LEVEL \(isSerializable ? "SERIALIZABLE" : "READ COMMITTED")"
    }

    /// Begins one that changes nothing: all statements see what was committed when the first began.
    static let snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Writes nothing but a line of the server's log of changes (WAL): a commit of nothing at all
    /// would not wait for the standby.
    static let walMessage = "pg_logical_emit_message(true, 'vestibule', '')"
}

/// What a transaction is found again by, when its connection was lost during the commit.
struct TransactionMark: Sendable, Equatable {
    /// The server's number of it (`xid8`), as text.
    let id: String
    /// Another one after a fail-over: then the number may be another transaction's.
    let timeline: String

    static let query = "SELECT pg_current_xact_id()::text AS id, \(currentTimeline) AS timeline"
    static let currentTimeline = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"

    init(row: PostgresRow) throws {
        (id, timeline) = (try row["id"], try row["timeline"])
    }

    enum Outcome: Sendable, Equatable {
        case committed, rolledBack
        /// The server has not finished it.
        case pending
        /// Another server has taken over.
        case unknown
    }

    /// A server that is told to end a session calls its transaction committed, although the standby
    /// may lack it. So this waits for the standby, which then has the other one, too.
    func outcome(_ connection: PostgresConnection) throws -> Outcome {
        let asked = PostgresStatement(
            sql: """
                SELECT pg_xact_status($1::xid8) AS status, \(Self.currentTimeline) AS timeline,
                    \(Transaction.walMessage)
                """,
            parameters: [id])
        let row = try connection.atOnce(.plain, asked).first
        guard let row, try row["timeline"] == timeline else { return .unknown }
        return switch try row["status"] as String? {
        case "committed": .committed
        case "aborted": .rolledBack
        case "in progress": .pending
        default: .unknown
        }
    }
}
