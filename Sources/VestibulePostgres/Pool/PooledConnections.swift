import Vestibule

/// What a pool knows of its connections and of the server.
struct PooledConnections: Sendable {
    /// Those that were used longest ago first.
    private(set) var idle: [(connection: PostgresConnection, since: ContinuousClock.Instant)] = []
    /// What nobody has used for that long is closed, so that others find the server with room.
    private static let longestIdle: Duration = .seconds(60)
    private static let keptIdle = 2
    /// How many work, as far as is known: idle ones, and those that are lent.
    private var living = 0
    /// How many are being made.
    private var connecting = 0
    /// How many wait for one that is given back.
    private var waiting = 0
    /// No server took one more; nobody tries again before that moment.
    private var refusal: (fault: StoreUnavailable, until: ContinuousClock.Instant)?

    enum Choice {
        case use(PostgresConnection)
        /// `made` or `refused` is called after.
        case connect
        /// One may be given back; `gaveUp` is called when none was.
        case wait
        case refuse(StoreUnavailable)
    }

    /// Why there is no use in waiting: nothing works. A connection that is refused while others
    /// work, or are being made, says nothing of these.
    var outage: StoreUnavailable? {
        guard let refusal, .now < refusal.until, living + connecting == 0 else { return nil }
        return refusal.fault
    }

    mutating func choose() -> Choice {
        if let last = idle.popLast() { return .use(last.connection) }
        guard let refusal, .now < refusal.until else {
            connecting += 1
            return .connect
        }
        guard living + connecting > 0 else { return .refuse(refusal.fault) }
        waiting += 1
        return .wait
    }

    mutating func gaveUp() {
        waiting = max(0, waiting - 1)
    }

    mutating func made() {
        connecting -= 1
        living += 1
    }

    /// Returns how many of those that wait have to look again.
    mutating func refused() -> Int {
        connecting -= 1
        return living + connecting == 0 ? wakeAll() : 0
    }

    mutating func note(refusal fault: StoreUnavailable, until: ContinuousClock.Instant) {
        refusal = (fault, until)
    }

    mutating func noteSuccess() {
        refusal = nil
    }

    /// Returns how many of those that wait have to look again. One that is lost ends those that are
    /// idle, too: they were made to the same server.
    mutating func giveBack(_ connection: PostgresConnection, at now: ContinuousClock.Instant = .now) -> Int {
        guard connection.isUsable else {
            living -= 1 + idle.count
            idle = []
            return wakeAll()
        }
        idle.append((connection, now))
        guard waiting > 0 else { return 0 }
        waiting -= 1
        return 1
    }

    /// Takes out those that nobody has used for long.
    mutating func removeUnused(at now: ContinuousClock.Instant = .now) -> [PostgresConnection] {
        let unused = idle.dropLast(Self.keptIdle).prefix { $0.since + Self.longestIdle <= now }
        idle.removeFirst(unused.count)
        living -= unused.count
        return unused.map(\.connection)
    }

    mutating func endIdle() {
        living -= idle.count
        idle = []
    }

    private mutating func wakeAll() -> Int {
        defer { waiting = 0 }
        return waiting
    }
}
