import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// What the store does for a request whose time is over.
@Suite(.timeLimit(.minutes(15)))
struct PostgresDeadlineTests {
    private static let add = "INSERT INTO used_tokens (digest, expires_at) VALUES ($1, 1)"
    /// Over while a commit of `slowCommits` is under way.
    private static let soon: Duration = .seconds(2)
    private static let slowCommits = """
        CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2.5); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON used_tokens DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION take_time()
        """

    private func count(_ store: PostgresStore) async throws -> Int {
        try await store.read { try $0.one("SELECT count(*) AS count FROM used_tokens")?["count"] ?? 0 }
    }

    private func within<Value: Sendable>(
        _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Deadline.$current.withValue(.now + time) { try await work() }
    }

    @Test func `nothing is begun any more, and the next request goes on`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        await #expect(throws: StoreUnavailable.self) { try await within(.zero) { try await count(store) } }
        await #expect(throws: StoreUnavailable.self) {
            try await within(.milliseconds(500)) {
                try await store.write { connection in
                    try connection.run(Self.add, [Make.digest(1)])
                    // Another wait of the request, which is as long as it takes.
                    while !Deadline.isOver { usleep(1000) }
                    connection.later(Self.add, [Make.digest(2)])
                }
            }
        }
        #expect(try await count(store) == 0)
    }

    @Test func `the line for a connection is left, however long others have theirs`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        let (isHeld, isTold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let wasTold = store.onThread {
            isHeld.signal()
            return isTold.wait(timeout: .now() + 60) == .success
        }
        try await blocking { isHeld.wait() }
        let late = await #expect(throws: StoreUnavailable.self) {
            try await within(.milliseconds(50)) { try await count(store) }
        }
        #expect(late?.description == StoreUnavailable.deadline.description)
        // Without a deadline there is an end, too.
        let patient = await #expect(throws: StoreUnavailable.self) { try await count(store) }
        #expect(patient?.description.contains("no connection was free") == true)
        isTold.signal()
        #expect(try await wasTold)
        #expect(try await count(store) == 0)
    }

    @Test func `a commit that was sent is heard out`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        try await store.pool.with { try $0.execute(Self.slowCommits) }
        try await within(Self.soon) { try await store.write(.plain) { $0.later(Self.add, [Make.digest(1)]) } }
        #expect(try await count(store) == 1)
    }

    @Test func `a commit whose answer was lost is looked up`() async throws {
        let (dropper, url) = try await AnswerDropper.before(PostgresDatabase.migrated())
        let store = try PostgresStore(url, connections: 1)
        // Prepares the statements, so that the answer to the commit is the next one.
        try await store.write(.plain) { _ = try $0.run(Self.add, [Make.digest(1)]) }
        try await store.pool.with { try $0.execute(Self.slowCommits) }
        try await within(Self.soon) {
            try await store.write(.plain) { connection in
                try connection.run(Self.add, [Make.digest(2)])
                dropper.dropNextAnswer()
            }
        }
        #expect(dropper.count == 1)
        #expect(try await count(store) == 2)
    }
}
