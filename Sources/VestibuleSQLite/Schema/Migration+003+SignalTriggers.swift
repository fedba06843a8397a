import VestibuleSQL

extension Migration {
    /// SQLite's triggers for what signals tell of.
    static let signalTriggers = SignalSource.all.enumerated().map { number, source in
        """
        CREATE TRIGGER signal_\(number + 1) AFTER \(source.change) ON \(source.table)
        \(source.when.map { "WHEN \($0) " } ?? "")BEGIN
        \(source.insertion(
            id: "lower(hex(randomblob(16)))",
            now: "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"))
        END
        """
    }
}
