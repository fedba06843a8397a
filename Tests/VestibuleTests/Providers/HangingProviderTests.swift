import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// A provider that does not answer.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct HangingProviderTests {
    private final class Count: Sendable {
        let answered = Mutex(0)
    }

    @Test func `a provider that hangs holds up no page and no other, and everybody who waits for it is told`()
        async throws
    {
        try await withProviders { house, _ in
            let count = Count()
            try await withThrowingTaskGroup(of: Page.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let page = try await house.visitor().comeFromExample(.init(lie: "hang"))
                        count.answered.withLock { $0 += 1 }
                        return page
                    }
                }
                // More than the threads of one provider, each held for ten seconds.
                for _ in 0..<3 {
                    #expect(try await house.visitor().get("/login").status == .ok)
                    _ = try await house.visitor().startSignIn("/auth/apple")
                }
                #expect(count.answered.withLock { $0 } == 0)
                for try await page in group { #expect(page.leads(to: "/login", saying: .providerFailed)) }
            }
            #expect(!house.logs.lines(of: "authn_provider_unavailable").isEmpty)
        }
    }
}
