/// A bounded waiting line with a fast lane: known browsers take three turns for each of the others,
/// and a flood of others never keeps one of them out. Within a lane it is fair between clients.
struct PriorityQueue<Entry> {
    /// Turns of known browsers in a row while others wait.
    static var knownInARow: Int { 3 }

    private let limit: Int
    private var known: FairQueue<Entry>
    private var others: FairQueue<Entry>
    private var inARow = 0

    init(limit: Int) {
        self.limit = limit
        known = FairQueue(limit: limit)
        others = FairQueue(limit: limit)
    }

    /// How many wait.
    var count: Int { known.count + others.count }

    /// Joins the line. When it is full, an entry of a known browser takes the newest place of the
    /// others' greediest client, as long as the others have more than a quarter of the places; else
    /// its lane decides.
    mutating func join(_ entry: Entry, client: String, isKnown: Bool) -> FairQueue<Entry>.Outcome {
        guard isKnown else { return others.join(entry, client: client, among: limit - known.count) }
        if count >= limit, others.count > limit / 4, let displaced = others.removeNewestOfGreediest() {
            _ = known.join(entry, client: client, among: limit)
            return .displaced(displaced)
        }
        return known.join(entry, client: client, among: limit - max(others.count, limit / 4))
    }

    /// Takes out the entry whose turn it is. Returns nil if nobody waits.
    mutating func next() -> Entry? {
        let isKnownTurn = known.count > 0 && (others.count == 0 || inARow < Self.knownInARow)
        inARow = isKnownTurn && others.count > 0 ? inARow + 1 : 0
        return isKnownTurn ? known.next() : others.next()
    }

    /// Empties the line.
    mutating func removeAll() -> [Entry] {
        known.removeAll() + others.removeAll()
    }

    /// Takes out the client's first entry that fits. Returns nil if none does.
    mutating func remove(client: String, where isMeant: (Entry) -> Bool) -> Entry? {
        known.remove(client: client, where: isMeant) ?? others.remove(client: client, where: isMeant)
    }
}
