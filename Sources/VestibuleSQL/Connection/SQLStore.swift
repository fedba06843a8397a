package import Essentials
package import Foundation
package import Vestibule

/// What is done with a connection, or with a row.
package typealias SQLWork<Connection, Value> = @Sendable (Connection) throws -> Value

/// A store whose slices are the statements of this target. An engine gives connections and
/// transactions, and what it does in its own way because that is faster there.
package protocol SQLStore: Store {
    associatedtype Connection: SQLConnection

    var cache: ReadCache { get }
    /// Whether the cache was compared so lately that it may be used.
    var isCacheTrusted: Bool { get }
    /// Whether the cache holds nothing that anybody else had changed when this was called.
    func isCacheCurrent() async throws -> Bool

    /// Statements that change nothing, and see the database as it is at one moment.
    func read<Value: Sendable>(_ work: @escaping SQLWork<Connection, Value>) async throws -> Value
    /// A single statement that changes nothing.
    func readOne<Value: Sendable>(_ work: @escaping SQLWork<Connection, Value>) async throws -> Value
    /// One transaction that writes. It may be run again, so `work` changes nothing but the
    /// database.
    func transaction<Value: Sendable>(
        _ kind: Transaction, _ work: @escaping SQLWork<Connection, Value>
    ) async throws -> Value

    /// Comes before the lock of a session's row in every transaction that writes the account or
    /// ends other sessions. In another order two transactions could deadlock.
    func lock(_ accountID: AccountID, _ connection: Connection) throws

    /// Whether another machine may take over, on which what was used up must not be unused.
    static var hasStandby: Bool { get }

    /// As `loginRecord(emailKey:failuresKey:)`.
    func loginRecord(_ emailKey: String, _ failuresKey: [UInt8], _ connection: Connection) throws -> LoginRecord
    /// Ends the sessions that were used longest ago, where the account has more than it may.
    func endOldest(besides new: Session, _ connection: Connection) throws
    /// Keeps the event, or adds one to the sum with the same id, which is then the newest.
    func add(_ failure: SecurityEvent, _ connection: Connection) throws
    /// On the way of a write that does more. Throws `LimitRefusal`, so that the rest is rolled
    /// back.
    func take(_ claims: [LimitClaim], now: Date, _ connection: Connection) throws
    func giveBack(_ claims: [LimitClaim], _ connection: Connection) throws
}

/// What a transaction that writes promises.
package enum Transaction: Sendable {
    /// Durable, as if it ran alone.
    case serializable
    /// As `serializable`. It ends what a thief may hold, and so succeeds even while the thief signs
    /// in without a pause.
    case urgent
    /// Durable. Each statement sees the newest commits and is right by itself: a single one, or
    /// several of which none depends on what another one read.
    case plain
    /// May be lost with the machine: counters, where waiting for the disk would cost more than a
    /// lost count.
    case relaxed
}

extension SQLStore {
    package func write<Value: Sendable>(
        _ kind: Transaction = .serializable, _ work: @escaping SQLWork<Connection, Value>
    ) async throws -> Value {
        try await transaction(kind, work)
    }

    package func giveBack(_ claims: [LimitClaim]) async throws {
        try await write(.relaxed) { try giveBack(claims, $0) }
    }

    package func refusedUntil(_ claims: [LimitClaim], now: Date) async throws -> Date? {
        try await readOne { connection in
            try claims.compactMap { claim in
                let row = try connection.one(
                    "SELECT arrival FROM rate_limits WHERE key = $1 AND arrival <= $2",
                    [claim.key, now.ms + claim.burst + LimitClaim.clockTolerance])
                guard let arrival = try row?["arrival"] as Int64? else { return nil }
                let until = Date(ms: arrival + claim.interval - claim.burst)
                return until > now ? until : nil
            }.max()
        }
    }

    /// What the rows say that a single statement answers with, which changes nothing.
    func select<Item: Sendable>(
        _ sql: String, _ parameters: [any SQLParameter] = [], _ item: @escaping SQLWork<Connection.Row, Item>
    ) async throws -> [Item] {
        try await readOne { try $0.all(sql, parameters).map(item) }
    }

    /// What the first of these rows says, if there is any.
    func selectOne<Item: Sendable>(
        _ sql: String, _ parameters: [any SQLParameter] = [], _ item: @escaping SQLWork<Connection.Row, Item>
    ) async throws -> Item? {
        try await readOne { try $0.one(sql, parameters).map(item) }
    }

    /// Returns how many rows the statement changed, in a transaction of its own.
    @discardableResult
    func change(_ kind: Transaction, _ sql: String, _ parameters: [any SQLParameter]) async throws -> Int {
        try await write(kind) { try $0.run(sql, parameters) }
    }
}
