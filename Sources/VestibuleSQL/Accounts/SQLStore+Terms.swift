import Essentials
package import Vestibule

extension SQLStore {
    package func accept(_ consent: Consent, by session: PresentedSession, event: SecurityEvent) async throws {
        let accountID = session.accountID
        try await write(.plain) { connection in
            try lock(accountID, connection)
            try require(session, connection)
            try connection.later(
                "UPDATE sessions SET awaits_terms = false WHERE id = $1 AND account_id = $2", [session.id, accountID])
            // A form that was sent twice at once is one consent.
            let accepted = try connection.run(
                "UPDATE accounts SET terms_version = $1 WHERE id = $2 AND terms_version IS DISTINCT FROM $1",
                [consent.version, accountID])
            guard accepted > 0 else { return }
            try insert(consent, accountID: accountID, connection)
            try insert(event, connection)
        }
    }

    func insert(_ consent: Consent, accountID: AccountID, _ connection: Connection) throws {
        try connection.insert(
            into: "consents", "id, account_id, version, text_digest, locale, address, accepted_at",
            [
                consent.id, accountID, consent.version, consent.textDigest, consent.locale, consent.address.text,
                consent.acceptedAt.ms,
            ])
    }
}

extension Consent {
    /// What `init(row:)` reads.
    static let columns = "id, version, text_digest, accepted_at, locale, address"

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], version: try row["version"], textDigest: try row.bytes("text_digest"),
            acceptedAt: try row.date("accepted_at"), locale: try row["locale"], address: try row.ipAddress("address"))
    }
}
