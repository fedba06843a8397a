/// A bounded waiting line, fair between clients: they take turns, each with its oldest entry.
struct FairQueue<Entry> {
    /// What became of an entry that wanted to join.
    enum Outcome {
        case joined
        /// Joined in place of this one, which had to leave.
        case displaced(Entry)
        case refused
    }

    private let limit: Int
    private var waiting: [String: [Entry]] = [:]
    private var turns: [String] = []
    /// How many wait.
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Joins the line; when it is full, the client with the most entries loses its newest, unless
    /// that is no fairer.
    mutating func join(_ entry: Entry, client: String) -> Outcome {
        join(entry, client: client, among: limit)
    }

    /// The same, with that many places instead of `limit`.
    mutating func join(_ entry: Entry, client: String, among limit: Int) -> Outcome {
        guard count >= limit else {
            append(entry, client: client)
            return .joined
        }
        guard let greediest, places(greediest) > places(client) + 1, let displaced = removeNewestOfGreediest() else {
            return .refused
        }
        append(entry, client: client)
        return .displaced(displaced)
    }

    /// Takes out the newest entry of the client that has most. Returns nil if nobody waits.
    mutating func removeNewestOfGreediest() -> Entry? {
        guard let greediest, let entry = waiting[greediest]?.popLast() else { return nil }
        count -= 1
        dropIfGone(greediest)
        return entry
    }

    private var greediest: String? {
        turns.max { places($0) < places($1) }
    }

    /// Takes out the entry whose turn it is. Returns nil if nobody waits.
    mutating func next() -> Entry? {
        guard !turns.isEmpty else { return nil }
        let client = turns.removeFirst()
        let entry = waiting[client]?.removeFirst()
        count -= 1
        if places(client) > 0 { turns.append(client) } else { waiting[client] = nil }
        return entry
    }

    /// Empties the line.
    mutating func removeAll() -> [Entry] {
        defer { self = FairQueue(limit: limit) }
        return turns.flatMap { waiting[$0] ?? [] }
    }

    /// Takes out the client's first entry that fits. Returns nil if none does.
    mutating func remove(client: String, where isMeant: (Entry) -> Bool) -> Entry? {
        guard let index = waiting[client]?.firstIndex(where: isMeant) else { return nil }
        let entry = waiting[client]?.remove(at: index)
        count -= 1
        dropIfGone(client)
        return entry
    }

    private mutating func dropIfGone(_ client: String) {
        guard places(client) == 0 else { return }
        waiting[client] = nil
        turns.removeAll { $0 == client }
    }

    private mutating func append(_ entry: Entry, client: String) {
        if places(client) == 0 { turns.append(client) }
        waiting[client, default: []].append(entry)
        count += 1
    }

    private func places(_ client: String) -> Int {
        waiting[client]?.count ?? 0
    }
}
