import Dispatch
import HTTPTypes
import Synchronization
import Testing

@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct KnownBrowserTurnTests {
    private final class Progress: Sendable {
        let isHeld = Mutex(false)
        let answered = Mutex(0)
    }

    private let narrow: [Setting: String] = [.hashingThreads: "1", .hashingQueue: "4", .limitLogin: "off"]

    @Test(arguments: ["ada@example.com", "bob@example.com"])
    func `a flood of unknown browsers leaves one that is known its place`(email: String) async throws {
        try await withHouse(narrow) { house in
            let owner = try await house.member("ada@example.com")
            _ = try await owner.logOut()
            try await owner.logIn(email: "ada@example.com")
            // Nothing is hashed while the line fills.
            let gate = DispatchSemaphore(value: 0)
            let progress = Progress()
            defer { gate.signal() }
            async let held: Void = house.services.hasher.enqueue(client: "203.0.113.1") {
                progress.isHeld.withLock { $0 = true }
                gate.wait()
            }
            try await house.until { progress.isHeld.withLock { $0 } }
            try await withThrowingTaskGroup(of: Int.self) { flood in
                // Each from a network of its own: by fairness alone a newcomer to the full line is
                // refused.
                for number in 1...40 {
                    flood.addTask {
                        let visitor = house.visitor(at: "198.51.100.\(number)")
                        let status = try await visitor.logIn(email: email, password: "x").status
                        progress.answered.withLock { $0 += 1 }
                        return status.code
                    }
                }
                try await house.until { progress.answered.withLock { $0 } == 36 }
                async let ownersAnswer = owner.logIn(email: "ada@example.com")
                // The owner takes the place of one of them.
                try await house.until { progress.answered.withLock { $0 } == 37 }
                gate.signal()
                #expect(try await ownersAnswer.status == .seeOther)
                let statuses = try await flood.reduce(into: []) { $0.append($1) }
                #expect(statuses.contains(503), "the line was never full")
                #expect(statuses.contains(422), "the others had no turn")
            }
            try await held
        }
    }
}
