import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A login elsewhere renews the hash of the password after a change has compared with it.
@Suite(.timeLimit(.minutes(15)))
struct LatePasswordChangeTests {
    private static let email = "ada@example.com"
    private static let newPassword = "staple horse battery correct"

    /// Runs the test on two nodes that share a store: one hashes one password at a time, the other
    /// has costlier settings, so that a login there renews the hash.
    private func withNodes(_ test: @escaping @Sendable (House, House) async throws -> Void) async throws {
        let store = try await sharedStore()
        try await withHouse([.hashingThreads: "1"], store: store) { house in
            _ = try await house.member(Self.email)
            try await withHouse([.argon2Iterations: "2"], store: store) { newer in try await test(house, newer) }
        }
    }

    /// Holds the only hashing thread from its turn in the queue until `open()`.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let isKept = Mutex(false)
        private let house: House

        init(_ house: House) {
            self.house = house
            Task {
                try await house.services.hasher.enqueue(client: "203.0.113.1") { [self] in
                    isKept.withLock { $0 = true }
                    semaphore.wait()
                }
            }
        }

        func open() { semaphore.signal() }

        /// Waits until the gate holds the thread and `count` jobs are queued behind it.
        func keeps(_ count: Int) async throws {
            try await house.until { isKept.withLock { $0 } && house.services.hasher.waiting == count }
        }

        /// Runs the queued job, and returns a gate that holds the thread before the job after it.
        func letOneThrough() async throws -> Gate {
            let next = Gate(house)
            try await keeps(2)
            open()
            try await next.keeps(1)
            return next
        }
    }

    /// Starts a password change, and stops it after it has read the hash, before it compares.
    private func beginning<Answer: Sendable>(
        _ house: House, _ change: @escaping @Sendable () async throws -> Answer
    ) async throws -> (Task<Answer, any Error>, Gate) {
        let gate = Gate(house)
        try await gate.keeps(0)
        let answer = Task { try await change() }
        // The new password is judged first.
        try await gate.keeps(1)
        return (answer, try await gate.letOneThrough())
    }

    /// As `beginning`, by the API.
    private func beginningCall(of app: App, _ house: House) async throws -> (Task<Reply, any Error>, Gate) {
        try await app.signIn(Self.email)
        let fields = ["current_password": App.goodPassword, "password": Self.newPassword]
        return try await beginning(house) { try await app.call(.post, "user/password", fields) }
    }

    @Test func `a form changes the password although its hash was renewed meanwhile`() async throws {
        try await withNodes { house, newer in
            let member = house.visitor()
            try await member.logIn(email: Self.email)
            let (answer, gate) = try await beginning(house) {
                try await member.submit(
                    "/account/password",
                    [
                        "current_password": Browser.goodPassword, "password": Self.newPassword,
                        "password_confirmation": Self.newPassword,
                    ])
            }
            #expect(try await newer.visitor().logIn(email: Self.email).status == .seeOther)
            gate.open()
            let page = try await answer.value
            #expect(page.leads(to: "/account/security", saying: .passwordReplaced))
            #expect(try await member.isSignedIn())
            #expect(try await house.visitor().logIn(email: Self.email, password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `a call changes the password although its hash was renewed meanwhile`() async throws {
        try await withNodes { house, newer in
            let app = house.app()
            let (answer, gate) = try await beginningCall(of: app, house)
            #expect(try await newer.visitor().logIn(email: Self.email).status == .seeOther)
            gate.open()
            let reply = try await answer.value
            #expect(reply.status == .ok)
            #expect(try await app.isSignedIn())
        }
    }

    @Test func `a change that conflicts twice is answered 503, and the session stays`() async throws {
        try await withNodes { house, newer in
            let app = house.app()
            let (answer, gate) = try await beginningCall(of: app, house)
            #expect(try await newer.visitor().logIn(email: Self.email).status == .seeOther)
            // It hashes the new password, is too late, judges it anew, and comes to compare.
            let last = try await gate.letOneThrough().letOneThrough().letOneThrough()
            try await withHouse([.argon2Iterations: "3"], store: house.services.store) { newest in
                let page = try await newest.visitor().logIn(email: Self.email)
                #expect(page.status == .seeOther)
            }
            last.open()
            let reply = try await answer.value
            #expect(reply.status == .serviceUnavailable && reply.code == "unavailable")
            #expect(try await app.isSignedIn())
        }
    }
}
