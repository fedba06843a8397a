import Foundation
import HTTPTypes
import Synchronization
import Testing
import Vestibule

/// A provider that does not answer.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct HangingProviderTests {
    @Test func `a provider that hangs is given up after ten seconds, while pages stay quick`() async throws {
        try await withProviders { house, _ in
            let start = ContinuousClock.now
            async let hanging = house.visitor().comeFromExample(.init(lie: "hang"))
            for _ in 0..<20 { #expect(try await house.visitor().get("/login").status == .ok) }
            #expect(.now - start < .seconds(5))
            let answer = try await hanging
            #expect(answer.location == "/login?notice=provider-failed")
            #expect(!house.logs.lines(of: "authn_provider_unavailable").isEmpty)
            #expect(.now - start < .seconds(15))
        }
    }

    private final class Count: Sendable {
        let answered = Mutex(0)
    }

    @Test func `a provider that hangs holds up no other, and everybody who waits for it is told`() async throws {
        try await withProviders { house, _ in
            let count = Count()
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let page = try await house.visitor().comeFromExample(.init(lie: "hang"))
                        count.answered.withLock { $0 += 1 }
                        return page.location
                    }
                }
                // More than the threads of one provider, each held for ten seconds.
                for _ in 0..<8 { _ = try await house.visitor().startSignIn("/auth/apple") }
                #expect(count.answered.withLock { $0 } == 0)
                for try await location in group { #expect(location == "/login?notice=provider-failed") }
            }
        }
    }
}
