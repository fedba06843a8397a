import Essentials
import Foundation
import Vestibule

extension SQLStore {
    /// Ends what `WayIn.fate` says that the event ends.
    func carryOut(_ end: WaysInEnd, of accountID: AccountID, _ connection: Connection) throws {
        // Before the sessions: a refresh locks its row of `client_sessions` first, then the
        // session's. The other order could deadlock.
        try endRefreshTokens(of: accountID, connection)
        for way in WayIn.allCases {
            switch way.fate(at: end.event) {
            case .ends: try self.end(way, of: accountID, keeping: end.keeping, connection)
            case .endsIfNewer:
                for rows in way.rows {
                    try connection.later("\(rows.deletion) AND \(rows.since) >= $2", [accountID, end.since(way).ms])
                }
            case .stays, .isReviewed, .isReplaced: break
            }
        }
        try dropCodesWithoutFactor(accountID, [.key, .passkey], connection)
    }

    func end(
        _ way: WayIn, of accountID: AccountID, keeping: SessionID? = nil, _ connection: Connection
    ) throws {
        switch way {
        case .password: try connection.later("UPDATE accounts SET password_hash = NULL WHERE id = $1", [accountID])
        case .passwordReset:
            let account = try connection.one("SELECT email_key FROM accounts WHERE id = $1", [accountID])
            try endResets(of: accountID, try account?["email_key"] ?? "", connection)
        case .session:
            try connection.later(
                "DELETE FROM sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2", [accountID, keeping])
        default:
            for rows in way.rows { try connection.later(rows.deletion, [accountID]) }
        }
    }

    /// Takes away what a new password takes away. Throws `Superseded` when the account has other
    /// identities or passkeys by now.
    func carryOut(_ review: ReviewedWays, _ accountID: AccountID, _ connection: Connection) throws {
        let present = try connection.all(
            "SELECT id FROM identities WHERE account_id = $1 UNION ALL SELECT id FROM passkeys WHERE account_id = $1",
            [accountID]
        ).map { try $0["id"] as String }
        guard Set(present) == Set(review.kept + review.removed) else { throw Superseded() }
        for id in review.removed {
            for table in ["identities", "passkeys"] {
                try connection.later("DELETE FROM \(table) WHERE id = $1", [id])
            }
        }
        for event in review.events { try insert(event.of(accountID), connection) }
    }

    func endUnprovedWays(_ emailKey: String, at now: Date, _ connection: Connection) throws {
        let row = try connection.one("SELECT id FROM accounts WHERE email_key = $1 AND verified_at IS NULL", [emailKey])
        guard let accountID = try row?["id"] as AccountID? else { return }
        try endUnprovedWays(of: accountID, by: WaysInEnd(.addressVerified), at: now, connection)
    }

    /// Before the mailbox was proved anybody may have opened the account, and kept a way in, a
    /// factor or the link that takes one back.
    func endUnprovedWays(
        of accountID: AccountID, by end: WaysInEnd, at now: Date, _ connection: Connection
    ) throws {
        try endFactorUndo(of: accountID, until: FactorUndoLink.expiry(from: now), connection)
        func hasFactor() throws -> Bool {
            try !isOpen(accountID, to: nil, without: [.key, .passkey], connection)
        }
        let hadFactor = try hasFactor()
        try carryOut(end, of: accountID, connection)
        guard hadFactor, try !hasFactor() else { return }
        // The sessions that stay wait for one, should the site require it.
        try connection.later("UPDATE sessions SET awaits_factor = true WHERE account_id = $1", [accountID])
        try endFactorRemoval(of: accountID, connection)
    }
}

/// Some rows of an account.
private struct AccountRows {
    let table: String
    var whose = "account_id = $1"
    static let bySession = "session_id IN (SELECT id FROM sessions WHERE account_id = $1)"
    /// When a row was added, or has counted since.
    var since = "created_at"

    var deletion: String { "DELETE FROM \(table) WHERE \(whose)" }
}

extension WayIn {
    /// Where it is kept; empty where there is more to do than to delete rows.
    fileprivate var rows: [AccountRows] {
        switch self {
        case .password, .session, .passwordReset: []
        case .identity:
            // The one that the account was opened with was not added.
            [
                AccountRows(
                    table: "identities",
                    since: "nullif(created_at, (SELECT created_at FROM accounts WHERE id = account_id))")
            ]
        case .silentPasskey: [AccountRows(table: "passkeys", whose: "account_id = $1 AND NOT is_second_factor")]
        case .factor:
            [
                AccountRows(
                    table: "passkeys", whose: "account_id = $1 AND is_second_factor",
                    since: "coalesce(second_factor_since, created_at)"),
                AccountRows(table: "factor_keys"),
            ]
        case .factorRemoval:
            [
                AccountRows(table: "outbox", whose: FactorRemovalNotice.ofAccount),
                AccountRows(table: "factor_removals"),
            ]
        case .trustedBrowser: [AccountRows(table: "trusted_browsers")]
        case .pendingLogin: [AccountRows(table: "pending_logins")]
        case .application:
            [
                AccountRows(table: "handover_tickets"), AccountRows(table: "application_sessions"),
                AccountRows(table: "client_codes"), AccountRows(table: "client_sessions"),
                // Last: that waits for a refresh in progress, and deletes its token, too.
                AccountRows(table: "access_tokens", whose: AccountRows.bySession),
            ]
        case .heldForm: [AccountRows(table: "held_forms", whose: AccountRows.bySession)]
        case .emailChange:
            [
                AccountRows(
                    table: "outbox", whose: "id IN (SELECT mail_id FROM pending_email_changes WHERE account_id = $1)"),
                AccountRows(table: "pending_email_changes"),
            ]
        case .emailUndo: [AccountRows(table: "email_undos")]
        }
    }
}
