import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// What a read finds is of one moment, whatever is committed meanwhile.
@Suite(.timeLimit(.minutes(15)))
struct PostgresReadTests {
    private func open() async throws -> PostgresStore {
        let store = try await PostgresDatabase.migrated().store()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.setKey(Make.totp(), Make.change())
        return store
    }

    @Test func `a read survives the end of its connection`() async throws {
        let database = try await PostgresDatabase.migrated()
        let (store, other) = (try database.store(), try database.store())
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await other.pool.with { connection in
            try connection.execute(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        }
        #expect(try await store.session(Make.digest(1)) != nil)
    }

    /// Swaps the app for a passkey, and commits when somebody who reads waits for the app's table.
    private func swappingFactors<Value: Sendable>(
        _ store: PostgresStore, during work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiting = try await store.pool.with { connection in
            try connection.execute(
                """
                BEGIN; LOCK TABLE factor_keys IN ACCESS EXCLUSIVE MODE;
                INSERT INTO passkeys (
                    id, account_id, credential_id, algorithm, public_key, signature_count, aaguid, transports,
                    is_backup_eligible, is_backed_up, is_second_factor, name, created_at
                ) VALUES (
                    'p', 'a', sha256('c'), -7, sha256('k'), 0, uuid_send(gen_random_uuid()), '', false, false, true,
                    'Phone', 0
                );
                DELETE FROM factor_keys WHERE account_id = 'a'
                """)
            let waiting = Task { try await work() }
            while try connection.one(
                "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'factor_keys'::regclass") == nil
            {
                // The server tells nobody who waits for a lock.
                usleep(1000)
            }
            try connection.execute("COMMIT")
            return waiting
        }
        return try await waiting.value
    }

    @Test func `an account that swaps its factors never seems to have none`() async throws {
        let store = try await open()
        let factors = try await swappingFactors(store) { try await store.factors(accountID: "a") }
        #expect(factors.asksSecondStep)
    }

    @Test func `nor does it to a login that waits for its second step`() async throws {
        let store = try await open()
        try await store.beginSecondStep(Make.pendingLogin(3))
        let seen = try await swappingFactors(store) { try await store.pendingLogin(Make.digest(3), now: Make.start) }
        #expect(seen?.factors.asksSecondStep == true)
    }

    @Test func `what is committed between the statements of a read is not seen`() async throws {
        let store = try await open()
        let counts = try await store.read { connection in
            func count() throws -> Int? { try connection.one("SELECT count(*) AS count FROM used_tokens")?["count"] }
            let before = try count()
            try store.pool.connect().execute("INSERT INTO used_tokens (digest, expires_at) VALUES (sha256('x'), 1)")
            return [before, try count()]
        }
        #expect(counts == [0, 0])
        // The connection is as free as before.
        let after = try await store.read { try $0.one("SELECT count(*) AS count FROM used_tokens")?["count"] as Int? }
        #expect(after == 1)
    }

    @Test func `a read that fails leaves its connection free`() async throws {
        let store = try PostgresStore(try await PostgresDatabase.migrated().url, connections: 1)
        await #expect(throws: PostgresFault.self) {
            try await store.read { connection in
                _ = try connection.one("SELECT 1")
                _ = try connection.one("SELECT 1 / 0")
            }
        }
        await #expect(throws: UsedBefore.self) {
            try await store.read { connection in
                _ = try connection.one("SELECT 1")
                throw UsedBefore()
            }
        }
        #expect(try await store.addAccount(Make.account("a", token: 1)))
    }
}
