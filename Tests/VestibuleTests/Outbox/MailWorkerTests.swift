import Foundation
import HTTPTypes
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct MailWorkerTests {
    @Test func `a mail that fails for a while is sent later`() async throws {
        try await withHouse { house in
            await house.mailbox.fail(.deferred("greylisted"))
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            await house.mailbox.fail(nil)
            #expect(await house.mailbox.count(to: "ada@example.com") == 0)
            house.clock.advance(by: .seconds(6))
            house.services.outboxSignal.send()
            #expect(try await visitor.type(code: house.mailbox.code(for: "ada@example.com")).location == "/account")
        }
    }

    @Test func `a store that cannot work is one error for all workers, and that the server stops is none`()
        async throws
    {
        for (error, count) in [(CancellationError(), 0), (StoreUnavailable("down"), 1)] as [(any Error, Int)] {
            let logs = Mutex<LogRecorder?>(nil)
            let settings = ["VESTIBULE_WEBHOOK_PORTAL_URL": "http://127.0.0.1:1/"]
            try await withHouse(store: BrokenStore(error: error), environment: settings) { house in
                logs.withLock { $0 = house.logs }
                house.services.outboxSignal.send()
                _ = try await house.visitor().get("/healthz")
            }
            // The workers have ended.
            let lines = logs.withLock { $0?.lines ?? [] }
            #expect(lines.count { $0.contains("error store unavailable") } == count, "\(lines)")
            #expect(!lines.contains { $0.contains("queue cannot be") || $0.contains("targets cannot be") }, "\(lines)")
        }
    }

    @Test func `a mail that was refused for good is not tried again`() async throws {
        try await withHouse(logLevel: .debug) { house in
            await house.mailbox.fail(.permanent("no such mailbox"))
            try await house.visitor().signUp(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == nil }
            #expect(house.logs.lines.contains { $0.contains("mail not sent") && $0.contains("retry=false") })
            #expect(!house.logs.lines.contains { $0.contains("ada@example.com") })
        }
    }

    @Test func `an international domain is written in ASCII, and readiness knows of a mail that cannot leave`()
        async throws
    {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@b\u{FC}cher.example")
            #expect(try await house.mailbox.next(to: "ada@xn--bcher-kva.example").to == "ada@xn--bcher-kva.example")
            await house.mailbox.fail(.temporary("no way out"))
            try await visitor.post("/signup/resend", [:])
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            #expect(try await visitor.get("/readyz").status == .ok)
            house.clock.advance(by: .seconds(901))
            #expect(try await visitor.get("/readyz").status == .serviceUnavailable)
            // The mail has grown useless, but the mail server was tried just now.
            house.services.outboxSignal.send()
            try await house.until { try await house.services.store.nextMailDue() == nil }
            #expect(try await visitor.get("/readyz").status == .serviceUnavailable)
            house.clock.advance(by: .seconds(7200))
            #expect(try await visitor.get("/readyz").status == .ok)
        }
    }

    @Test func `a mail that its recipient's server puts off says nothing of the others`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            await house.mailbox.fail(.deferred("mailbox full"))
            let visitor = house.visitor()
            // A mail that does not grow useless.
            try await visitor.logIn(email: "ada@example.com")
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 5 }
            house.clock.advance(by: .seconds(901))
            house.services.outboxSignal.send()
            try await house.until { try await house.services.store.nextMailDue() == house.clock.now + 10 }
            #expect(try await visitor.get("/readyz").status == .ok)
        }
    }

    @Test func `mails speak the language of the page`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let fields = Browser.signupFields(email: "ada@example.com")
            try await visitor.post("/signup", fields, headers: ["Accept-Language": "de"])
            let mail = try await house.mailbox.next(to: "ada@example.com")
            #expect(mail.html.contains("lang=\"de\"") && mail.text.contains("Minuten"))
            #expect(mail.text.matches(of: /\b\d{6}\b/).count == 1)
            // The hidden first line is what a list of mails shows.
            let codes = mail.html.matches(of: /\b\d{6}\b/).map(\.output)
            #expect(codes.count == 2 && Set(codes).count == 1)
        }
    }
}
