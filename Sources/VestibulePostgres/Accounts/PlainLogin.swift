import Essentials
import PasswordHashing
import Vestibule
import VestibuleSQL

/// A login that starts a session and does little else, as nearly every one: a single statement,
/// which is sent together with its commit.
struct PlainLogin: Sendable {
    /// Answers with one row, or with none when the account cannot sign in, or has another password,
    /// a second factor or too many failures by now.
    let statement: PostgresStatement
    /// What is unique in the rows it adds. The event stays when the session ends.
    static let keys: Set = ["security_events_pkey", "sessions_pkey", "sessions_token_digest_key"]

    /// Returns nil for a login that does more. `goesToSummary`: a summary tells of it.
    init?(_ signIn: ProvedSignIn, _ session: NewSession, goesToSummary: Bool) {
        guard signIn.rehash == nil, signIn.identity == nil, signIn.use == nil, signIn.secondStep == nil,
            signIn.notice == nil || goesToSummary, signIn.mails.isEmpty, session.replaces == nil,
            signIn.events.count == 1, let event = signIn.events.first
        else { return nil }
        let returned = PostgresStore.merged(signIn.returned)
        let first: [any SQLParameter] = [
            session.accountID, signIn.proved?.phc, signIn.failuresKey, event.id, event.kind.name,
            event.at.ms, event.address.text, event.userAgent,
        ]
        let last: [any SQLParameter] = [
            signIn.notice?.at.ms, signIn.notice?.summaryDueAt.ms, signIn.absent.contains(.key),
            signIn.absent.contains(.passkey), returned.map(\.key), returned.map(\.interval), signIn.limitedBy,
        ]
        var parts: Parts = []
        if signIn.notice != nil { parts.insert(.summary) }
        if !returned.isEmpty { parts.insert(.returned) }
        if signIn.failuresKey != nil { parts.insert(.failures) }
        if session.session.proof.by == .password { parts.insert(.password) }
        statement = PostgresStatement(
            sql: Self.texts[parts.rawValue], parameters: first + session.parameters + last)
    }

    /// Steps that only some logins take.
    private struct Parts: OptionSet {
        let rawValue: Int
        static let summary = Parts(rawValue: 1)
        static let returned = Parts(rawValue: 2)
        static let failures = Parts(rawValue: 4)
        static let password = Parts(rawValue: 8)
        static let count = 4
    }

    /// Each made once, as the connections know a statement by its text.
    private static let texts = (0..<1 << Parts.count).map { text(Parts(rawValue: $0)) }

    private static let summary = """
        , summary AS (
            INSERT INTO sign_in_summaries (account_id, since, due_at) SELECT id, $24, $25 FROM account
            ON CONFLICT DO NOTHING
        )
        """

    private static let password = """
        , password AS (
            \(PostgresStore.passwordUse(by: "account WHERE true", at: "$12"))
        )
        """

    private static let failures = """
        , failures AS (
            DELETE FROM login_failures WHERE key = $3 AND EXISTS (SELECT FROM account)
        )
        """

    private static let returned = """
        , locked AS MATERIALIZED (
            SELECT key FROM rate_limits WHERE key = ANY ($28) AND EXISTS (SELECT FROM account) ORDER BY key FOR UPDATE
        ), returned AS (
            UPDATE rate_limits SET arrival = arrival - claims.cost
            FROM unnest($28, $29) AS claims (key, cost), locked
            WHERE rate_limits.key = claims.key AND locked.key = claims.key
        )
        """

    private static func text(_ parts: Parts) -> String {
        let more = [(Parts.password, password), (.failures, failures), (.summary, summary), (.returned, returned)]
            .filter { parts.contains($0.0) }.map(\.1).joined()
        return """
            WITH account AS MATERIALIZED (
                \(PostgresStore.openAccount)
                \(PostgresStore.lacksFactors(keys: "$26", passkeys: "$27"))
                \(PostgresStore.mayTry(failuresKey: "$30"))
            ), event AS (
                INSERT INTO security_events (id, kind, account_id, at, address, user_agent)
                SELECT $4, $5, id, $6, $7, $8 FROM account
            ), session AS (
                INSERT INTO sessions (\(NewSession.columns))
                SELECT \((9...23).map { "$\($0)" }.joined(separator: ", ")) FROM account
            )\(more)
            SELECT id FROM account
            """
    }
}
