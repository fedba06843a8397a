package import Essentials
import Foundation
import PasswordHashing
package import Vestibule

extension SQLStore {
    package func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord {
        try await readOne { try loginRecord(emailKey, failuresKey, $0) }
    }

    package func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws {
        try await write(.relaxed) { connection in
            try note(event, failuresKey: failuresKey, hasAccount: event.accountID != nil, connection)
        }
    }

    package func signInFacts(accountID: AccountID) async throws -> SignInFacts {
        try await selectOne(
            """
            SELECT EXISTS (SELECT 1 FROM factor_keys WHERE account_id = $1 AND \(Self.isAsked)) AS has_key,
                EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1 AND is_second_factor) AS has_passkey,
                NOT EXISTS (
                    SELECT 1 FROM sessions WHERE account_id = $1
                    LIMIT 1 OFFSET \(Session.mostPerAccount - Session.roomToSpare)
                ) AS has_room
            """,
            [accountID]
        ) { row in
            var factors: FactorPresence = try row["has_key"] ? .key : []
            if try row["has_passkey"] { factors.insert(.passkey) }
            return SignInFacts(secondFactors: factors, hasRoom: try row["has_room"])
        } ?? SignInFacts(secondFactors: [], hasRoom: false)
    }

    /// `goesToSummary`: a summary tells of it, if anything does. Returns whether a mail was queued.
    package func succeed(
        _ signIn: ProvedSignIn, _ new: NewSession, goesToSummary: Bool, _ connection: Connection
    ) throws -> Bool {
        let (session, accountID, now) = (new.session, new.accountID, new.session.lifetime.createdAt)
        try use(signIn.identity, of: accountID, at: now, connection)
        guard try isOpen(accountID, to: signIn.proved, without: signIn.absent, below: signIn.limitedBy, connection)
        else { throw Superseded() }
        if let rehash = signIn.rehash {
            try connection.later("UPDATE accounts SET password_hash = $1 WHERE id = $2", [rehash.phc, accountID])
        }
        if let step = signIn.secondStep { try end(step, with: session, connection) }
        if let use = signIn.use {
            try apply(use, accountID, at: now, isSecondFactor: signIn.secondFactor != nil, connection)
        }
        if let key = signIn.failuresKey {
            try forgetFailures(key, connection)
        }
        try giveBack(signIn.returned, connection)
        let isOneMore = try start(new, connection)
        if session.proof.by == .password { try notePasswordUse(of: accountID, at: now, connection) }
        if isOneMore, !signIn.hasRoom { try endOldest(besides: session, connection) }
        let hasMail =
            try signIn.notice.map { try tell($0, accountID, goesToSummary: goesToSummary, connection) } ?? false
        try signIn.mails.forEach { try insert($0, connection) }
        try signIn.events.forEach { try insert($0, connection) }
        return hasMail || !signIn.mails.isEmpty
    }

    /// Whether the account can sign in, its password is still the one that was proved, it has none
    /// of those factors, and that key, if any, has fewer failures than `FailuresInARow.atMost`.
    func isOpen(
        _ accountID: AccountID, to proved: PasswordHash?, without absent: FactorPresence = [],
        below failuresKey: [UInt8]? = nil, _ connection: Connection
    ) throws -> Bool {
        try connection.one(
            """
            \(Self.openAccount) \(Self.lacksFactors(keys: "$3", passkeys: "$4"))
            \(Self.mayTry(failuresKey: "$5"))
            """,
            [accountID, proved?.phc, absent.contains(.key), absent.contains(.passkey), failuresKey]
        ) != nil
    }

    /// The account of `$1`, if the hash that was proved, if there is one, is `$2`.
    package static var openAccount: String {
        "SELECT id FROM accounts WHERE id = $1 AND disabled_at IS NULL AND ($2 IS NULL OR password_hash = $2)"
    }

    /// That the failures in a row of that key are not too many for one more try; true of a key that
    /// is null.
    package static func mayTry(failuresKey: String) -> String {
        """
        AND NOT EXISTS (
            SELECT 1 FROM login_failures WHERE key = \(failuresKey) AND count >= \(FailuresInARow.atMost)
        )
        """
    }

    /// Whether a key of `factor_keys` is that of a second factor: recovery codes are none.
    static var isAsked: String { "kind <> '\(SecondFactor.recoveryCode.rawValue)'" }

    /// That the account of `$1` has no second factor with a key and no passkey as one, where those
    /// parameters ask.
    package static func lacksFactors(keys: String, passkeys: String) -> String {
        """
        AND NOT (\(keys) AND EXISTS (SELECT 1 FROM factor_keys WHERE account_id = $1 AND \(isAsked)))
        AND NOT (\(passkeys) AND EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1 AND is_second_factor))
        """
    }
}

extension Account {
    /// What `init(row:)` reads, of the table `accounts`, and the password's hash.
    package static let columns = """
        accounts.id, accounts.email, accounts.email_key, accounts.display_name, accounts.password_hash, accounts.locale,
        accounts.terms_version, accounts.created_at, accounts.verified_at, accounts.disabled_at,
        (SELECT coalesce(string_agg(name, ','), '') FROM account_groups
            WHERE account_groups.account_id = accounts.id) AS group_names
        """

    /// Reads a row of `columns`.
    package init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], email: try EmailAddress(row: row), displayName: try row["display_name"],
            createdAt: try row.date("created_at"), verifiedAt: try row.dateIfAny("verified_at"),
            locale: try row["locale"], termsVersion: try row["terms_version"])
        (disabledAt, groups) = (try row.dateIfAny("disabled_at"), Self.groups(try row["group_names"]))
    }

    /// Names hold no comma.
    private static func groups(_ names: String) -> [String] {
        names.isEmpty ? [] : names.parts(by: ",").map { String($0) }.sorted()
    }
}

extension EmailAddress {
    /// Of the columns `email` and `email_key`.
    init(row: some SQLRow) throws {
        self.init(stored: try row["email"], key: try row["email_key"])
    }
}
