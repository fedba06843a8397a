import HTTPTypes
import Testing

@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

/// What is counted of a password that was not hashed, as too many others were waiting.
@Suite(.timeLimit(.minutes(15)))
struct BusyHashingTests {
    private static let email = "ada@example.com"
    private static let newPassword = "staple horse battery correct"

    /// Works while the one thread hashes and the one place behind it is taken.
    private func whileFull(_ house: House, _ work: () async throws -> Void) async throws {
        let hasher = house.services.hasher
        let waiting = try await house.whileHashing {
            let waiting = Task { try await hasher.enqueue(client: "203.0.113.2") {} }
            try await house.until { hasher.waiting == 1 }
            try await work()
            return waiting
        }
        try await waiting.value
    }

    @Test func `it counts against no limit`() async throws {
        try await withHouse([.hashingThreads: "1", .hashingQueue: "1"]) { house in
            _ = try await house.member(Self.email)
            let forgetful = house.visitor(at: "198.51.100.250")
            try await forgetful.post("/reset", ["email": Self.email])
            let reset = [
                "code": try await house.mailbox.code(for: Self.email), "password": Self.newPassword,
                "password_confirmation": Self.newPassword,
            ]
            let signup = Browser.signupFields(email: "grace@example.com")
            try await whileFull(house) {
                for number in 1...20 {
                    let visitor = house.visitor(at: "198.51.100.\(number)")
                    let answers = [
                        try await visitor.logIn(email: Self.email), try await visitor.post("/signup", signup),
                        try await forgetful.post("/reset/verify", reset),
                    ]
                    #expect(answers.map(\.status) == Array(repeating: .serviceUnavailable, count: 3))
                }
            }
            #expect(try await house.visitor().logIn(email: Self.email).status == .seeOther)
            #expect(try await house.visitor().post("/signup", signup).status == .seeOther)
            #expect(try await forgetful.post("/reset/verify", reset).status == .seeOther)
        }
    }
}
