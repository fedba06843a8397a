import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func accept(_ consent: Consent, by session: PresentedSession, event: SecurityEvent) async throws {
        let accountID = session.accountID
        try await write { database in
            try require(session, database)
            try insert(consent, accountID: accountID, database)
            try database.run(
                "UPDATE accounts SET terms_version = ? WHERE id = ?", [consent.version, accountID]
            )
            try database.run(
                "UPDATE sessions SET awaits_terms = 0 WHERE id = ? AND account_id = ?", [session.id, accountID])
            try insert(event, database)
        }
    }

    func insert(_ consent: Consent, accountID: AccountID, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO consents (id, account_id, version, text_digest, locale, address, accepted_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                consent.id, accountID, consent.version, consent.textDigest.data, consent.locale, consent.address.text,
                consent.acceptedAt.ms,
            ]
        )
    }
}

extension Consent {
    init(row: Row) {
        self.init(
            id: row["id"], version: row["version"], textDigest: row.bytes("text_digest"),
            acceptedAt: row.date("accepted_at"), locale: row["locale"], address: row.ipAddress("address")
        )
    }
}
