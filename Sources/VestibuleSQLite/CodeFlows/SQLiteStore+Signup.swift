package import Essentials
package import Foundation
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func addPendingSignup(_ pending: PendingSignup, mails: AddressMails) async throws {
        try await write { database in
            try database.run(
                """
                INSERT INTO pending_signups (
                    flow, display_name, email, email_key, password_hash, code_digest, code_expires_at, expires_at,
                    consent_id, terms_version, terms_digest, consented_at, locale, address, return_to, remembered
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    pending.code.flow.bytes.data, pending.displayName, pending.code.email.typed, pending.code.email.key,
                    pending.passwordHash.phc, pending.code.digest.bytes.data, pending.code.codeExpiresAt.ms,
                    pending.code.expiresAt.ms, pending.consent.id, pending.consent.version,
                    pending.consent.textDigest.data, pending.consent.acceptedAt.ms, pending.locale,
                    pending.consent.address.text, pending.returnTo, pending.remember,
                ]
            )
            try queue(.either(mails), for: pending.code.email.key, database)
        }
    }

    package func pendingSignup(flow: TokenDigest, now: Date) async throws -> PendingSignup? {
        try await read { try $0.pending(.signup, flow, now).map(PendingSignup.init(row:)) }
    }

    package func completeSignup(
        flow: TokenDigest, attempt: CodeAttempt, new: NewAccount, now: Date
    ) async throws -> SignupCompletion {
        try await write { database in
            guard try redeem(.signup, flow, attempt, now, database) != nil else { return .codeWrong }
            // Flows of others for the address go on: one that ended would tell that there is an
            // account now.
            try database.run("DELETE FROM pending_signups WHERE flow = ?", [flow.bytes.data])
            guard try !isTaken(new.account.email.key, database) else {
                try endUnprovedWays(new.account.email.key, database)
                return .taken
            }
            try insert(new, database)
            return .created
        }
    }

    package func addAccount(_ new: NewAccount) async throws -> Bool {
        try await write { database in
            guard try !isTaken(new.account.email.key, database) else { return false }
            try insert(new, database)
            return true
        }
    }

    func isTaken(_ emailKey: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM accounts WHERE email_key = ?)", arguments: [emailKey]
        ) ?? false
    }

    func insert(_ new: NewAccount, _ database: Database) throws {
        let account = new.account
        try database.run(
            """
            INSERT INTO accounts (
                id, email, email_key, display_name, password_hash, locale, terms_version, created_at, verified_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account.id, account.email.typed, new.account.email.key, account.displayName, new.passwordHash?.phc,
                account.locale,
                account.termsVersion, account.createdAt.ms, account.verifiedAt?.ms,
            ]
        )
        if new.passwordHash != nil { try passwordSet(of: account.id, at: account.createdAt, database) }
        try insert(new.consent, accountID: account.id, database)
        try start(new.session, database)
        try new.events.forEach { try insert($0, database) }
    }
}

extension PendingSignup {
    init(row: Row) {
        self.init(
            code: PendingCode(row: row), displayName: row["display_name"],
            passwordHash: PasswordHash(phc: row["password_hash"]),
            consent: Consent(
                id: row["consent_id"], version: row["terms_version"], textDigest: row.bytes("terms_digest"),
                acceptedAt: row.date("consented_at"), locale: row["locale"], address: row.ipAddress("address")
            ),
            locale: row["locale"], returnTo: row["return_to"], remember: row["remembered"]
        )
    }
}
