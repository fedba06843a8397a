/// A bounded waiting line, fair between clients: they take turns, each with its oldest entry.
package struct FairLine<Entry> {
    /// What became of an entry that wanted to join.
    package enum Outcome {
        case joined
        /// Joined in place of this one, which had to leave.
        case displaced(Entry)
        case refused
    }

    private let limit: Int
    private var waiting: [String: [Entry]] = [:]
    private var turns: [String] = []
    /// How many wait.
    package private(set) var count = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// Joins the line; when it is full, the client with the most entries loses its newest, unless that is no fairer.
    package mutating func join(_ entry: Entry, client: String) -> Outcome {
        guard count >= limit else {
            append(entry, client: client)
            return .joined
        }
        guard let greediest = turns.max(by: { places($0) < places($1) }), places(greediest) > places(client) + 1,
            let displaced = waiting[greediest]?.popLast()
        else { return .refused }
        count -= 1
        append(entry, client: client)
        return .displaced(displaced)
    }

    /// The entry whose turn it is; `nil` when nobody waits.
    package mutating func next() -> Entry? {
        guard !turns.isEmpty else { return nil }
        let client = turns.removeFirst()
        let entry = waiting[client]?.removeFirst()
        count -= 1
        if places(client) > 0 { turns.append(client) } else { waiting[client] = nil }
        return entry
    }

    /// Empties the line.
    package mutating func removeAll() -> [Entry] {
        defer { self = FairLine(limit: limit) }
        return turns.flatMap { waiting[$0] ?? [] }
    }

    /// Takes out the client's first entry that is meant; `nil` when it has left already.
    package mutating func remove(client: String, where isMeant: (Entry) -> Bool) -> Entry? {
        guard let index = waiting[client]?.firstIndex(where: isMeant) else { return nil }
        let entry = waiting[client]?.remove(at: index)
        count -= 1
        if places(client) == 0 {
            waiting[client] = nil
            turns.removeAll { $0 == client }
        }
        return entry
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
