import Foundation
import HTTPTypes
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// The whole way of a mail, from the form to a real SMTP server.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HangingMailTests {
    private let unlimited: [Setting: String] = [.limitSignup: "off", .limitMail: "off"]

    @Test func `a server that never answers holds up nobody else's code`() async throws {
        let server = try await SMTPTestServer("--hang-domain", "hangs.example")
        // Longer than the suite may take: a mail that waits for that server fails the test.
        try await withHouse(unlimited, transport: server.transport(timeout: .seconds(3600))) { house in
            for number in 1...10 { try await house.visitor().signUp(email: "x\(number)@hangs.example") }
            // At the server by now, and all of the ten in the queue.
            try await house.visitor().signUp(email: "ada@example.com")
            try await house.until { try await house.waiting().allSatisfy { $0 == "x•••@hangs.example" } }
            #expect(try await house.waiting().count == 10)
            let events = try await server.stop()
            #expect(events.filter { $0.kind == "mail" }.map(\.recipients) == [["ada@example.com"]])
            #expect(events.count { $0.kind == "hanging" } == 1, "one mail at a time to a server that has not answered")
        }
    }

    @Test func `a refused sender is the operator's fault: said once, known to readyz, and tried again`() async throws {
        let server = try await SMTPTestServer("--reply-to-mail", "553", "--refused-senders", "2")
        try await withHouse(unlimited, transport: server.transport()) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            let ready = try await visitor.get("/readyz")
            #expect(ready.status == .serviceUnavailable && ready.body == "sender refused\n")
            house.clock.advance(by: .seconds(6))
            house.services.outboxSignal.send()
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 10 }
            #expect(house.logs.lines(of: "mail_sender_refused").map { $0.hasPrefix("error ") } == [true])
            house.clock.advance(by: .seconds(11))
            house.services.outboxSignal.send()
            _ = try await house.waitingMails()
            #expect(try await visitor.get("/readyz").status == .ok)
            #expect(house.logs.lines(of: "mail_sender_accepted").count == 1)
            #expect(try await server.stop().map(\.recipients) == [["ada@example.com"]])
        }
    }

    @Test func `a refused sender counts for two hours without a mail`() async throws {
        let server = try await SMTPTestServer("--reply-to-mail", "553", "--refused-senders", "99")
        try await withHouse(unlimited, transport: server.transport()) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            #expect(try await visitor.get("/readyz").body == "sender refused\n")
            // Tries from now on meet nobody, which counts after a while only.
            _ = try await server.stop()
            house.clock.advance(by: .seconds(7100))
            #expect(try await visitor.get("/readyz").body == "sender refused\n")
            house.clock.advance(by: .seconds(101))
            #expect(try await visitor.get("/readyz").status == .ok)
        }
    }
}

extension House {
    /// Whom the mails in the queue are for, masked.
    fileprivate func waiting() async throws -> [String?] {
        try await MailQueue(store: services.store, key: services.secretKey).list(after: nil, limit: 99).map(
            \.maskedRecipient)
    }
}
