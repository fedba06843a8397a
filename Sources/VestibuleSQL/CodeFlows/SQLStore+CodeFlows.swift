import Essentials
package import Foundation
package import Vestibule

extension CodeFlowKind {
    /// Each kind has a table of its own, with the same columns for the code.
    fileprivate var table: String { "pending_\(name)" }

    /// All that is read of its rows.
    fileprivate var columns: String { PendingCode.columns + (Self.ownColumns[self] ?? "") }

    private static let ownColumns: [CodeFlowKind: String] = [
        .signup: """
        , email, display_name, password_hash, consent_id, terms_version, terms_digest, consented_at, locale, address,
        return_to, remembered
        """,
        .reset: ", email, locale, account_id, proved, return_to",
        .emailChange: ", email, account_id, mail_id",
        .emailUndo: ", token",
    ]
}

extension SQLConnection {
    /// Adds a flow that waits for the code, with the columns that only its kind has.
    func insert(
        _ code: PendingCode, of kind: CodeFlowKind, _ columns: String, _ values: [any SQLParameter]
    ) throws {
        try insert(
            into: kind.table, "flow, email_key, code_digest, code_expires_at, expires_at, \(columns)",
            [code.flow, code.email.key, code.digest.bytes, code.codeExpiresAt.ms, code.expiresAt.ms] + values)
    }

    /// The flow's row, if the flow has not ended.
    func pending(_ kind: CodeFlowKind, _ flow: TokenDigest, _ now: Date) throws -> Row? {
        try one("SELECT \(kind.columns) FROM \(kind.table) WHERE flow = $1 AND expires_at > $2", [flow, now.ms])
    }

    /// The flow of a reset whose code was right, while its password may still be chosen.
    func provedReset(_ flow: TokenDigest, _ now: Date) throws -> Row? {
        let kind = CodeFlowKind.reset
        return try one(
            "SELECT \(kind.columns) FROM \(kind.table) WHERE flow = $1 AND proved AND code_expires_at > $2",
            [flow, now.ms])
    }
}

extension PendingCode {
    /// What every kind has; `email` comes besides.
    static let columns = "flow, email_key, code_digest, code_expires_at, expires_at, attempts"

    /// Of `columns`; `email` where the table has no such column.
    init(row: some SQLRow, email: EmailAddress? = nil) throws {
        self.init(
            flow: TokenDigest(bytes: try row.bytes("flow")), email: try email ?? EmailAddress(row: row),
            digest: CodeDigest(bytes: try row.bytes("code_digest")), codeExpiresAt: try row.date("code_expires_at"),
            expiresAt: try row.date("expires_at"), attempts: try row["attempts"]
        )
    }
}

extension SQLStore {
    package func wrongCodes(now: Date) async throws -> Int {
        try await read { try wrongCodes(now, $0) }
    }

    package func renewCode(_ renewal: CodeRenewal, of kind: CodeFlowKind, now: Date) async throws -> Bool {
        try await write(.plain) { connection in
            let row = try connection.one(
                """
                UPDATE \(kind.table) SET code_digest = $1, code_expires_at = $2, expires_at = greatest(expires_at, $2)
                WHERE flow = $3 AND expires_at > $4 AND attempts < $5 RETURNING email_key
                """,
                [renewal.digest.bytes, renewal.codeExpiresAt.ms, renewal.flow, now.ms, Code.attempts]
            )
            guard let row else { return false }
            try deleteMail(renewal.earlierMail, connection)
            try replaceTraces(renewal, kind, connection)
            try queue(renewal.mail, for: try row["email_key"], connection)
            return true
        }
    }

    /// Ends the flow that another one replaces, and its mail.
    func end(_ kind: CodeFlowKind, _ replaced: TokenDigest, _ connection: Connection) throws {
        let row = try connection.one("DELETE FROM \(kind.table) WHERE flow = $1 RETURNING code_digest", [replaced])
        guard let row else { return }
        try deleteMail(CodeDigest(bytes: try row.bytes("code_digest")).mailID, connection)
    }

    /// It could arrive after the new one, with a code that no longer works. What nobody gets stays:
    /// to delete it would take longer, and tell that there is no account.
    private func deleteMail(_ id: String, _ connection: Connection) throws {
        try connection.later(
            "DELETE FROM outbox WHERE id = $1 AND failure IS DISTINCT FROM '\(QueuedMail.toNobody)'", [id])
    }

    /// What a flow keeps besides of the code before: a proof that it was right, or its mail.
    private func replaceTraces(
        _ renewal: CodeRenewal, _ kind: CodeFlowKind, _ connection: Connection
    ) throws {
        if kind == .reset {
            try connection.later("UPDATE pending_resets SET proved = false WHERE flow = $1", [renewal.flow])
        }
        if kind == .emailChange, case .certain(let mail) = renewal.mail {
            try connection.later(
                "UPDATE pending_email_changes SET mail_id = $1 WHERE flow = $2", [mail.id, renewal.flow])
        }
    }

    /// Failures in a row under that key: after a sign-in or a reset, and where an address comes to
    /// an account or leaves it, as they were of another one.
    func forgetFailures(_ key: [UInt8], _ connection: Connection) throws {
        try connection.later("DELETE FROM login_failures WHERE key = $1", [key])
    }

    func queue(_ mail: CodeMail, for emailKey: String, _ connection: Connection) throws {
        switch mail {
        case .certain(let mail): try insert(mail, connection)
        case .either(let mails): try insert(fitting(mails, emailKey, connection), connection)
        case .toOwner(let mail): try queueReset(mail, for: emailKey, connection)
        }
    }

    private func fitting(
        _ mails: AddressMails, _ emailKey: String, _ connection: Connection
    ) throws -> QueuedMail {
        let owner = try connection.one("SELECT disabled_at FROM accounts WHERE email_key = $1", [emailKey])
        guard let owner else { return mails.whenFree }
        return try owner.dateIfAny("disabled_at") == nil ? mails.whenTaken : mails.whenDisabled
    }

    /// Uses up one attempt in one statement; returns the row when the code was right and may still
    /// be used. A wrong one is counted: for the flow, for the address in a row, and for the whole
    /// site.
    func redeem(
        _ kind: CodeFlowKind, _ flow: TokenDigest, _ attempt: CodeAttempt, _ now: Date,
        _ connection: Connection
    ) throws -> Connection.Row? {
        let row = try connection.one(
            """
            UPDATE \(kind.table) SET attempts = attempts + 1
            WHERE flow = $1 AND code_expires_at > $2 AND attempts < $3 RETURNING \(kind.columns)
            """,
            [flow, now.ms, Code.attempts]
        )
        guard let row else { return nil }
        let isAdmitted = try isAdmitted(attempt, emailKey: try row["email_key"], now, connection)
        if isAdmitted, attempt.digests.contains(CodeDigest(bytes: try row.bytes("code_digest"))) { return row }
        try note(attempt, emailKey: try row["email_key"], now, connection)
        return nil
    }

    /// Whether a code of that length still works; decided with what it counts, so that many at once
    /// get no more tries.
    private func isAdmitted(
        _ attempt: CodeAttempt, emailKey: String, _ now: Date, _ connection: Connection
    ) throws -> Bool {
        guard let limit = attempt.limit else { return true }
        let site = try wrongCodes(now, connection)
        let record = try loginRecord(emailKey, attempt.failuresKey, connection)
        return limit.admits(site: site, inARow: record.failuresInARow)
    }

    private func note(
        _ attempt: CodeAttempt, emailKey: String, _ now: Date, _ connection: Connection
    ) throws {
        let owner = try connection.one("SELECT id FROM accounts WHERE email_key = $1", [emailKey])
        let accountID = try attempt.failure.accountID ?? owner?["id"]
        try note(
            accountID.map(attempt.failure.of) ?? attempt.failure, failuresKey: attempt.failuresKey,
            hasAccount: owner != nil, connection)
        try connection.later(
            """
            INSERT INTO wrong_codes (hour, count) VALUES ($1, 1)
            ON CONFLICT (hour) DO UPDATE SET count = wrong_codes.count + 1
            """,
            [now.ms / FailureCount.hour]
        )
    }

    private func wrongCodes(_ now: Date, _ connection: Connection) throws -> Int {
        let row = try connection.one(
            "SELECT CAST(coalesce(sum(count), 0) AS bigint) AS count FROM wrong_codes WHERE hour BETWEEN $1 - 24 AND $1",
            [now.ms / FailureCount.hour]
        )
        return try row?["count"] ?? 0
    }
}
