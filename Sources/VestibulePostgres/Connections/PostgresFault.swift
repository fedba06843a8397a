import CLibPQ
import Essentials
import Vestibule

/// What PostgreSQL refused, or why it cannot be reached.
struct PostgresFault: Error, Sendable, CustomStringConvertible {
    /// SQLSTATE; `nil` when the connection is lost or was never made.
    let state: String?
    let message: String
    let constraint: String?

    /// Of a connection that is lost or was never made.
    init(_ message: String) {
        (state, self.message, constraint) = (nil, message, nil)
    }

    /// Of an answer that is an error.
    init(_ answer: OpaquePointer) {
        func field(_ code: Int32) -> String? {
            libpq.PQresultErrorField(answer, code).map { String(cString: $0) }
        }
        state = field(Int32(UInt8(ascii: "C")))
        message = field(Int32(UInt8(ascii: "M"))) ?? "no message"
        constraint = field(Int32(UInt8(ascii: "n")))
    }

    var description: String { state.map { "\($0) \(message)" } ?? message }

    /// The transaction met another one, and has a fair chance when it is run again (serialization
    /// failure, deadlock).
    var isConflict: Bool { state == "40001" || isDeadlock }

    /// Two transactions waited for each other, and PostgreSQL ended this one after a second
    /// (`deadlock_timeout`).
    var isDeadlock: Bool { state == "40P01" }

    /// An account or a session that a row names has ended meanwhile.
    var isForeignKey: Bool { state == "23503" }

    var isUnique: Bool { state == "23505" }

    /// It waited for a lock longer than `lock_timeout`.
    var isLockTimeout: Bool { state == "55P03" }

    /// The server, or a pooler before it, has as many connections as it may. Of a connection that
    /// is refused libpq tells the words alone.
    var isTooManyConnections: Bool {
        state == "53300" || Self.tooManyConnections.contains { message.holds($0) }
    }

    private static let tooManyConnections = [
        "too many clients already", "too many connections for", "connection slots are reserved",
        "no more connections allowed",
    ]

    /// A prepared statement is missing or there already: the session is not the one that this
    /// connection had before.
    var isOfAnotherSession: Bool { state == "26000" || state == "42P05" }

    /// The connection is of no use any more: lost, ended by the server, or the server has become a
    /// standby.
    var endsConnection: Bool {
        guard let state else { return true }
        return state.begins(with: "08") || state.begins(with: "57P") || ["25006", "25P03", "25P04"].contains(state)
    }

    /// It tells of the server, its disk, memory or time, not of the statement.
    var meansUnavailable: Bool {
        guard !endsConnection, let state else { return true }
        // Resources, system errors, damage, operator intervention (57014 is a statement's time).
        return ["53", "55", "57", "58", "XX"].contains(String(state.prefix(2))) || isConflict || state == "42501"
            || isOfAnotherSession
    }
}

extension PostgresFault {
    fileprivate var cause: StoreUnavailable.Cause? {
        switch state {
        case "53100": .fullDisk
        case "55P03": .locked
        default: isTooManyConnections ? .noConnection : nil
        }
    }
}

extension StoreUnavailable {
    /// With the cause, where the fault names one.
    init(_ fault: PostgresFault) {
        self = fault.isOfAnotherSession ? .pooled(fault.description) : Self(fault.description, fault.cause)
    }

    /// A pooler in front of the server runs the transactions of one connection in different
    /// sessions.
    static func pooled(_ why: String) -> StoreUnavailable {
        StoreUnavailable("\(why): a connection pooler in transaction mode stands before the database", .pooled)
    }

    /// Nothing more is begun for a request that took so long.
    static let deadline = StoreUnavailable("the database is too slow: the time of the request is over")
}
