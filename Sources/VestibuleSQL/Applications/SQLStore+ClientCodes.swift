import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    /// Need not survive: its page is asked for again.
    package func addCode(_ code: NewCode, needsConsent: Bool) async throws {
        let session = code.session
        try await write(.relaxed) { connection in
            try require(session, connection)
            // Who takes it back meanwhile waits, and then ends the code, too.
            if needsConsent {
                let given = try scopes(of: session.accountID, for: code.application, connection)
                guard let given, Scopes(code.scopes).isCovered(by: Scopes(given)) else { throw ConsentMissing() }
            }
            // Counted first, as the lists cost more: of fewer than the smaller bound neither leaves
            // one out.
            try connection.later(
                """
                DELETE FROM client_codes WHERE session_id = $1
                AND (SELECT count(*) FROM client_codes WHERE session_id = $1) >= \(NewCode.mostPerSession)
                AND digest NOT IN (
                    SELECT digest FROM client_codes WHERE session_id = $1 AND spent_at IS NULL
                    ORDER BY expires_at DESC LIMIT \(NewCode.mostPerSession - 1)
                ) AND digest NOT IN (
                    SELECT digest FROM client_codes WHERE session_id = $1 AND spent_at IS NOT NULL
                    ORDER BY spent_at DESC LIMIT \(NewCode.mostSpentPerSession)
                )
                """, [session.id])
            try connection.insert(
                into: "client_codes",
                "digest, application, redirect, challenge, nonce, scopes, session_id, account_id, session_token, expires_at",
                [
                    code.digest, code.application, code.redirect, code.challenge, code.nonce, code.scopes, session.id,
                    session.accountID, session.token, code.expiresAt.ms,
                ])
        }
    }

    package func spendCode(_ redemption: CodeRedemption) async throws -> TokenExchange {
        let name = redemption.application.name
        return try await write(Self.hasStandby || redemption.mustLast ? .serializable : .relaxed) { connection in
            let spent = try connection.one(
                """
                UPDATE client_codes SET spent_at = $1
                WHERE digest = $2 AND application = $3 AND redirect = $4 AND challenge IS NOT DISTINCT FROM $5
                    AND spent_at IS NULL AND expires_at > $1 AND expires_at <= $6 AND EXISTS (
                        SELECT 1 FROM sessions WHERE id = session_id AND token_digest = session_token)
                RETURNING session_id, scopes, nonce
                """,
                [
                    redemption.now.ms, redemption.code, name, redemption.redirect, redemption.challenge,
                    redemption.latestExpiry.ms,
                ])
            guard let spent else { return try endReplayed(redemption, connection) }
            let grant = try grant(try spent["session_id"], name, try spent["scopes"], connection)
            guard var grant,
                redemption.application.admits(
                    grant, at: redemption.now, requiresFactor: redemption.requiresFactor)
            else {
                // It gave nothing, so a second use has nothing to end.
                try connection.later("DELETE FROM client_codes WHERE digest = $1", [redemption.code])
                return .refused
            }
            grant.nonce = try spent["nonce"]
            try enter(grant, redemption, connection)
            try insert(redemption.given, grant, connection)
            return .granted(grant)
        }
    }

    /// Ends the tokens of a code that its own client sends again, and the code: a third time finds
    /// nothing, and leaves no event. Another client's try ends nothing.
    private func endReplayed(_ redemption: CodeRedemption, _ connection: Connection) throws -> TokenExchange {
        let row = try connection.one(
            """
            DELETE FROM client_codes WHERE digest = $1 AND application = $2 AND spent_at IS NOT NULL
            RETURNING session_id, account_id
            """, [redemption.code, redemption.application.name])
        guard let row else { return .refused }
        try endTokens(of: try row["session_id"], in: redemption.application.name, connection)
        let accountID: AccountID = try row["account_id"]
        try noteReplay(redemption.replayed, of: accountID, connection)
        return .replayed(redemption.replayed.of(accountID))
    }

    private func enter(_ grant: TokenGrant, _ redemption: CodeRedemption, _ connection: Connection) throws {
        let isOffline = grant.scopes.holds("offline_access")
        try connection.later(
            """
            INSERT INTO client_sessions (session_id, application, account_id, scopes, entered_at, family, refresh)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (session_id, application) DO UPDATE SET
                scopes = excluded.scopes, entered_at = excluded.entered_at, family = excluded.family,
                refresh = excluded.refresh
            """,
            [
                grant.record.session.id, grant.application, grant.record.account.id, grant.scopes, redemption.now.ms,
                isOffline ? redemption.given.family : nil, isOffline ? redemption.given.refresh : nil,
            ])
    }
}
