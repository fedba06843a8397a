/// What a pool knows of its connections and of the server.
struct PooledConnections: Sendable {
    private var idle: [PostgresConnection] = []
    /// How many work, as far as is known: idle ones, and those that are lent.
    private var living = 0
    /// How many are being made.
    private var connecting = 0
    /// How many wait for one that is given back.
    private var waiting = 0
    /// No server took one more; nobody tries again before that moment.
    private var refusal: (message: String, until: ContinuousClock.Instant)?

    enum Choice {
        case use(PostgresConnection)
        /// `made` or `refused` is called after.
        case connect
        /// One may be given back; `gaveUp` is called when none was.
        case wait
        case refuse(message: String)
    }

    /// Why there is no use in waiting: nothing works. A connection that is refused while others
    /// work, or are being made, says nothing of these.
    var outage: String? {
        guard let refusal, .now < refusal.until, living + connecting == 0 else { return nil }
        return refusal.message
    }

    mutating func choose() -> Choice {
        if let last = idle.popLast() { return .use(last) }
        guard let refusal, .now < refusal.until else {
            connecting += 1
            return .connect
        }
        guard living + connecting > 0 else { return .refuse(message: refusal.message) }
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

    mutating func note(refusal message: String, until: ContinuousClock.Instant) {
        refusal = (message, until)
    }

    mutating func noteSuccess() {
        refusal = nil
    }

    /// Returns how many of those that wait have to look again. One that is lost ends those that are
    /// idle, too: they were made to the same server.
    mutating func giveBack(_ connection: PostgresConnection) -> Int {
        guard connection.isUsable else {
            living -= 1 + idle.count
            idle = []
            return wakeAll()
        }
        idle.append(connection)
        guard waiting > 0 else { return 0 }
        waiting -= 1
        return 1
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
