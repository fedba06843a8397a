import CLibPQ
import Essentials
import VestibuleSQL

/// A connection of libpq. Every wait has an end: a server may be frozen while the kernel of its
/// machine goes on answering.
final class LibPQConnection {
    let handle: OpaquePointer
    var prepared: [StatementKey: PreparedStatement] = [:]
    /// How many names of prepared statements were given.
    private var named = 0
    /// Makes the names unique. Behind a pooler the session may hold statements of another
    /// connection, and one of the same name would run instead of ours.
    private let prefix = "s\(String(UInt64.random(in: .min ... .max), radix: 36))_"
    /// Set by libpq when a warning comes.
    private let warned: UnsafeMutablePointer<Bool>
    /// How long one statement may take.
    let patience: Duration
    /// False when it must not be used again.
    private(set) var isUsable = true

    struct StatementKey: Hashable {
        let sql: String
        /// Of the parameters.
        let types: [UInt32]

        init(_ statement: PostgresStatement) {
            (sql, types) = (statement.sql, statement.types)
        }

        /// To hash two thousand bytes for each execution would cost more than to compare those of
        /// texts that are as long.
        func hash(into hasher: inout Hasher) {
            hasher.combine(sql.utf8.count)
            hasher.combine(types)
        }
    }

    final class PreparedStatement {
        let key: StatementKey
        let name: String
        /// Known once it has answered with a row.
        var columns: SQLColumns?

        init(_ key: StatementKey, name: String) {
            (self.key, self.name) = (key, name)
        }
    }

    /// What every session of ours has, whatever the server's defaults are: escapes as we write
    /// them, and an end to every wait. A lock's ends first: the error of a statement's timeout does
    /// not say that it waited for a lock.
    private static let session = """
        SET standard_conforming_strings = on; SET search_path = public; SET lock_timeout = '4s'
        """
    /// Whose statements may take longer may also wait longer between two of them, for what another
    /// database does.
    private static let longestIdle: Duration = .seconds(30)

    /// Connects to one server, if it takes writes. Throws `PostgresFault`.
    init(_ server: [PostgresAddress.Option], patience: Duration, connectingFor: Duration) throws {
        self.patience = patience
        handle = try Self.connect(server, until: .now + connectingFor)
        warned = .allocate(capacity: 1)
        warned.initialize(to: false)
        _ = libpq.PQsetNoticeReceiver(handle, Self.noteWarning, warned)
        let idle = patience > Self.longestIdle ? 0 : Self.longestIdle.components.seconds
        try execute(
            """
            \(Self.session); SET idle_in_transaction_session_timeout = '\(idle)s';
            SET statement_timeout = '\(patience.components.seconds)s'
            """)
    }

    deinit {
        libpq.PQfinish(handle)
        warned.deallocate()
    }

    /// Notices that are no warning are dropped.
    private static let noteWarning: PQnoticeReceiver = { warned, notice in
        let severity = libpq.PQresultErrorField(notice, Int32(UInt8(ascii: "V")))
        guard let severity, String(cString: severity).isExactly("WARNING") else { return }
        warned?.assumingMemoryBound(to: Bool.self).pointee = true
    }

    /// Whether a warning has come since this was asked last.
    func takeWarning() -> Bool {
        defer { warned.pointee = false }
        return warned.pointee
    }

    /// A name for one more prepared statement, which no other connection has.
    func nextName() -> String {
        defer { named += 1 }
        return "\(prefix)\(named)"
    }

    /// 150000 is version 15.
    var serverVersion: Int { Int(libpq.PQserverVersion(handle)) }

    /// Of the database; nil where a pooler does not tell.
    var encoding: String? { libpq.PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } }

    func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws {
        guard Self.poll(libpq.PQsocket(handle), events, until: deadline) else {
            markUnusable()
            throw PostgresFault("\(Self.place(of: handle)): the database server did not answer in time")
        }
    }

    /// What libpq says of a connection that is of no use any more.
    func lost() -> PostgresFault {
        markUnusable()
        return PostgresFault(Self.message(of: handle))
    }

    func markUnusable() {
        isUsable = false
    }
}
