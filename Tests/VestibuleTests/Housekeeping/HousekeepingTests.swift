import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct HousekeepingTests {
    private static let email = "ada@example.com"

    /// Gives its portions one after the other, and then fails if it has a fault.
    private final class Summaries: NewSignInStore {
        let portions: Mutex<[[SignInSummary]]>
        let fault: (any Error)?

        init(_ portions: [[SignInSummary]], fault: (any Error)? = nil) {
            self.portions = Mutex(portions)
            self.fault = fault
        }

        func dueSignInSummaries(now: Date) async throws -> [SignInSummary] {
            if let portion = portions.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return portion }
            if let fault { throw fault }
            return []
        }

        func queueSignInSummaries(_ mails: [SignInSummaryMail]) async throws -> Int { mails.count }
    }

    private struct Fault: Error {}

    private func housekeeping(_ house: House, _ summaries: Summaries) -> Housekeeping {
        let real = Housekeeping(services: house.services)
        return Housekeeping(
            store: real.store,
            newSignIns: NewSignIns(store: summaries, mailer: real.newSignIns.mailer, now: real.now),
            factorRemoval: real.factorRemoval, factorSealing: real.factorSealing, keyRotation: real.keyRotation,
            activityLifetime: real.activityLifetime, now: real.now)
    }

    @Test func `summaries are queued until none is due`() async throws {
        try await withHouse { house in
            _ = try await house.member(Self.email)
            let due = SignInSummary(account: try await house.account(Self.email), dueAt: house.clock.now, signIns: [])
            let summaries = Summaries([[due], [due, due], [due]])
            try await housekeeping(house, summaries).tidy()
            #expect(summaries.portions.withLock { $0.isEmpty })
        }
    }

    @Test func `when they cannot be queued the rest is done all the same`() async throws {
        try await withHouse { house in
            let (owner, _) = try await house.memberWithPasskey(Self.email)
            let session = try await house.record(of: owner).token
            _ = try await FactorRemoval(services: house.services).ask(for: house.account(Self.email))
            #expect(try await house.waitingMails() == 0)
            house.clock.advance(by: .seconds(31 * 86_400))
            let housekeeping = housekeeping(house, Summaries([], fault: Fault()))
            await #expect(throws: Fault.self) { try await housekeeping.tidy() }
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
            #expect(try await house.services.store.session(session) == nil)
        }
    }
}
