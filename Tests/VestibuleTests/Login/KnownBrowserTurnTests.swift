import Foundation
import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct KnownBrowserTurnTests {
    /// One thread, a line of four and slow hashes, so that the line is full while the test looks.
    private let narrow: [Setting: String] = [
        .hashingThreads: "1", .hashingQueue: "4", .argon2MemoryKiB: "65536", .argon2Iterations: "4",
        .limitLogin: "off",
    ]

    @Test(arguments: ["ada@example.com", "bob@example.com"])
    func `a flood of unknown browsers leaves one that is known its place`(email: String) async throws {
        try await withHouse(narrow) { house in
            let owner = try await house.member("ada@example.com")
            _ = try await owner.logOut()
            try await owner.logIn(email: "ada@example.com")
            try await withThrowingTaskGroup(of: Int.self) { flood in
                // Each from a network of its own: by fairness alone a newcomer to the full line is refused.
                for number in 1...40 {
                    flood.addTask {
                        try await house.visitor(at: "198.51.100.\(number)").logIn(email: email, password: "x").status
                            .code
                    }
                }
                while house.needs.hasher.waiting < 4 { await Task.yield() }
                #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
                let statuses = try await flood.reduce(into: []) { $0.append($1) }
                #expect(statuses.contains(503), "the line was never full")
                #expect(statuses.contains(422), "the others had no turn")
            }
        }
    }
}
