import VestibuleSQL

extension Migration {
    /// SQLite's triggers for what signals tell of.
    static let signalTriggers = triggers(SignalSource.all, from: 1)

    /// `number` is that of the first.
    static func triggers(_ sources: [SignalSource], from number: Int) -> [String] {
        zip(number..., sources).map { number, source in
            """
            CREATE TRIGGER signal_\(number) AFTER \(source.change) ON \(source.table)
            \(source.when.map { "WHEN \($0) " } ?? "")BEGIN
            \(source.insertion(
                id: "lower(hex(randomblob(16)))",
                now: "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"))
            END
            """
        }
    }
}
