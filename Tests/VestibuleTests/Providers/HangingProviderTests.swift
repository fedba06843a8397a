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
                for _ in 0..<20 {
                    group.addTask {
                        let page = try await house.visitor().comeFromExample(.init(lie: "hang"))
                        count.answered.withLock { $0 += 1 }
                        return page
                    }
                }
                // More than the threads of one provider, each held for ten seconds.
                for _ in 0..<9 {
                    #expect(try await house.visitor().get("/login").status == .ok)
                    _ = try await house.visitor().startSignIn("/auth/apple")
                }
                #expect(count.answered.withLock { $0 } == 0)
                for try await page in group { #expect(page.leads(to: "/login", saying: .providerFailed)) }
            }
            let lines = house.logs.lines(of: "authn_provider_unavailable")
            #expect(lines.contains { $0.contains("behind calls that hang") }, "\(lines)")
        }
    }

    @Test func `an old document that cannot be fetched again serves on, and is tried again after a minute`()
        async throws
    {
        let standIn = try await ProviderStandIn.start()
        try await withHouse([:], clock: TestClock(Date()), environment: standIn.example) { house in
            try await house.visitor().signUpThroughExample()
            house.clock.advance(by: .seconds(3590))
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            house.clock.advance(by: .seconds(20))
            try await standIn.tell(["document": "hang"])
            let person = ProviderStandIn.Person(
                nonce: asked.nonce, challenge: asked.fields["code_challenge"], ahead: 3610)
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.location == "/account")
            house.clock.advance(by: .seconds(50))
            let next = try await house.visitor().startSignIn("/auth/example")
            #expect(next.url.hasPrefix("\(standIn.base)/auth/authorize?"))
            #expect(try await standIn.record().count { $0["call"] == "document" } == 2)
        }
    }
}
