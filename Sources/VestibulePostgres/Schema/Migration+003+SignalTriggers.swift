import VestibuleSQL

extension Migration {
    /// PostgreSQL's triggers for what signals tell of. What is deleted with an account is told of
    /// before its row goes: what triggers do afterwards would come behind the end of the account.
    static let signalTriggers = triggers(SignalSource.all, from: 1)

    /// `number` is that of the first.
    static func triggers(_ sources: [SignalSource], from number: Int) -> [String] {
        zip(number..., sources).flatMap { number, source in
            let isBefore = source.change == "DELETE" && source.table != "accounts"
            return [
                """
                CREATE FUNCTION signal_\(number)() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    \(source.insertion(
                        id: "replace(gen_random_uuid()::text, '-', '')",
                        now: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"))
                    RETURN \(isBefore ? "OLD" : "NULL");
                END $$
                """,
                """
                CREATE TRIGGER signal_\(number) \(isBefore ? "BEFORE" : "AFTER") \(source.change) ON \(source.table)
                FOR EACH ROW \(source.when.map { "WHEN (\($0)) " } ?? "")EXECUTE FUNCTION signal_\(number)()
                """,
            ]
        }
    }
}
