package import Essentials
package import Foundation
import PasswordHashing
package import Vestibule

extension SQLStore {
    package func addPendingSignup(
        _ pending: PendingSignup, replaces: TokenDigest?, mails: AddressMails
    ) async throws {
        try await write(.plain) { connection in
            if let replaces { try end(.signup, replaces, connection) }
            try connection.insert(
                pending.code, of: .signup,
                """
                display_name, email, password_hash, consent_id, terms_version, terms_digest, consented_at, locale, \
                address, return_to, remembered
                """,
                [
                    pending.displayName, pending.code.email.typed, pending.passwordHash.phc, pending.consent.id,
                    pending.consent.version, pending.consent.textDigest, pending.consent.acceptedAt.ms,
                    pending.locale, pending.consent.address.text, pending.returnTo, pending.remember,
                ])
            try queue(.either(mails), for: pending.code.email.key, connection)
        }
    }

    package func pendingSignup(flow: TokenDigest, now: Date) async throws -> PendingSignup? {
        try await readOne { try $0.pending(.signup, flow, now).map(PendingSignup.init(row:)) }
    }

    package func completeSignup(
        flow: TokenDigest, attempt: CodeAttempt, new: NewAccount, now: Date
    ) async throws -> CodeOutcome {
        try await write { connection in
            guard try redeem(.signup, flow, attempt, now, connection) != nil else { return .codeWrong }
            // Flows of others for the address go on: one that ended would tell that there is an
            // account now.
            try connection.later("DELETE FROM pending_signups WHERE flow = $1", [flow])
            guard try !isTaken(new.account.email.key, connection) else {
                try endUnprovedWays(new.account.email.key, at: now, connection)
                return .taken
            }
            try insert(new, connection)
            try forgetFailures(attempt.failuresKey, connection)
            return .done
        }
    }

    package func addAccount(_ new: NewAccount) async throws -> Bool {
        try await write { connection in
            guard try !isTaken(new.account.email.key, connection) else { return false }
            try insert(new, connection)
            return true
        }
    }

    func isTaken(_ emailKey: String, _ connection: Connection) throws -> Bool {
        try connection.one("SELECT 1 FROM accounts WHERE email_key = $1", [emailKey]) != nil
    }

    func insert(_ new: NewAccount, _ connection: Connection) throws {
        let account = new.account
        try connection.insert(
            into: "accounts",
            "id, email, email_key, display_name, password_hash, locale, terms_version, created_at, verified_at",
            [
                account.id, account.email.typed, account.email.key, account.displayName, new.passwordHash?.phc,
                account.locale, account.termsVersion, account.createdAt.ms, account.verifiedAt?.ms,
            ])
        if new.passwordHash != nil { try passwordSet(of: account.id, at: account.createdAt, connection) }
        try insert(new.consent, accountID: account.id, connection)
        try start(new.session, connection)
        try new.events.forEach { try insert($0, connection) }
    }
}

extension PendingSignup {
    init(row: some SQLRow) throws {
        self.init(
            code: try PendingCode(row: row), displayName: try row["display_name"],
            passwordHash: PasswordHash(phc: try row["password_hash"]),
            consent: Consent(
                id: try row["consent_id"], version: try row["terms_version"],
                textDigest: try row.bytes("terms_digest"), acceptedAt: try row.date("consented_at"),
                locale: try row["locale"], address: try row.ipAddress("address")
            ),
            locale: try row["locale"], returnTo: try row["return_to"], remember: try row["remembered"]
        )
    }
}
