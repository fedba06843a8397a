import VestibuleSQL

extension Migration {
    /// PostgreSQL's triggers for what signals tell of. What is deleted with an account is told of
    /// before its row goes: what triggers do afterwards would come behind the end of the account.
    static let signalTriggers: [String] = SignalSource.all.enumerated().flatMap { number, source in
        let isBefore = source.change == "DELETE" && source.table != "accounts"
        return [
            """
            CREATE FUNCTION signal_\(number + 1)() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                \(source.insertion(
                    id: "replace(gen_random_uuid()::text, '-', '')",
                    now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"))
                RETURN \(isBefore ? "OLD" : "NULL");
            END $$
            """,
            """
            CREATE TRIGGER signal_\(number + 1) \(isBefore ? "BEFORE" : "AFTER") \(source.change) ON \(source.table)
            FOR EACH ROW \(source.when.map { "WHEN (\($0)) " } ?? "")EXECUTE FUNCTION signal_\(number + 1)()
            """,
        ]
    }
}
