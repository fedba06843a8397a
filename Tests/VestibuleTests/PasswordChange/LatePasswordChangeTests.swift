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

    /// Works with a member, a node that hashes one password after the other, and another one on the
    /// same store, with costlier hashes.
    private func withNodes(_ test: @escaping @Sendable (House, House) async throws -> Void) async throws {
        let store = try await sharedStore()
        try await withHouse([.hashingThreads: "1"], store: store) { house in
            _ = try await house.member(Self.email)
            try await withHouse([.argon2Iterations: "2"], store: store) { newer in try await test(house, newer) }
        }
    }

    /// Keeps the one thread that hashes, from when its turn comes until it is opened.
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

        /// Waits until it keeps the thread, and so many others wait.
        func keeps(_ count: Int) async throws {
            try await house.until { isKept.withLock { $0 } && house.services.hasher.waiting == count }
        }

        /// Lets go on what waits, up to what it waits for next.
        func letOneThrough() async throws -> Gate {
            let next = Gate(house)
            try await keeps(2)
            open()
            try await next.keeps(1)
            return next
        }
    }

    /// Begins a change, and holds it back when it has read the hash, before it compares.
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

    @Test func `the form changes it all the same`() async throws {
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

    @Test func `the call changes it all the same`() async throws {
        try await withNodes { house, newer in
            let app = house.app()
            try await app.signIn(Self.email)
            let fields = ["current_password": App.goodPassword, "password": Self.newPassword]
            let (answer, gate) = try await beginning(house) { try await app.call(.post, "user/password", fields) }
            #expect(try await newer.visitor().logIn(email: Self.email).status == .seeOther)
            gate.open()
            let reply = try await answer.value
            #expect(reply.status == .ok)
            #expect(try await app.isSignedIn())
        }
    }

    @Test func `who comes too late twice is not told that the session has ended`() async throws {
        try await withNodes { house, newer in
            let app = house.app()
            try await app.signIn(Self.email)
            let fields = ["current_password": App.goodPassword, "password": Self.newPassword]
            let (answer, gate) = try await beginning(house) { try await app.call(.post, "user/password", fields) }
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
