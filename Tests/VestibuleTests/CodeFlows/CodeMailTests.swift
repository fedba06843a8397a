import Foundation
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// Mails that bring a code: it comes first, and stays in the mail.
@Suite(.timeLimit(.minutes(15)))
struct CodeMailTests {
    @Test(arguments: [
        ("en", " is your Fir & Birch code", "Your code: "), ("de", " ist Ihr Code für Fir & Birch", "Ihr Code: "),
    ])
    func `the code stands first in the subject, the text and the preview`(
        locale: String, subject: String, label: String
    ) async throws {
        try await withHouse([.brandName: "Fir & Birch"]) { house in
            let fields = Browser.signupFields(email: "ada@example.com")
            try await house.visitor().post("/signup", fields, headers: ["Accept-Language": locale])
            let mail = try await house.mailbox.next(to: "ada@example.com")
            let code = try #require(mail.text.firstMatch(of: /\b\d{6}\b/)).output
            #expect(mail.subject == code + subject)
            #expect(mail.text.hasPrefix("\(label)\(code)\n"))
            let body = try #require(mail.html.components(separatedBy: "<body").last)
            let seen = body.replacing(/^[^>]*>/, with: "").replacing(/<[^>]*>/, with: "")
            #expect(seen.trimmingPrefix(while: \.isWhitespace).hasPrefix("\(code) · "))
        }
    }

    @Test func `a code of ten digits fits, and mails without a code have none in the subject`() async throws {
        try await withHouse { house in
            let templates = try House.content(house.services.settings).pages.templates
            let renderer = MailRenderer(templates: templates, from: house.services.settings.mailFrom)
            let content = MailContent(
                kind: .passwordReset, to: "ada@example.com", locale: "en", values: ["code": "1234567890"])
            let mail = try renderer.message(content, id: "a", date: house.clock.now, now: house.clock.now)
            #expect(mail.subject == "1234567890 is your Vestibule code for a new password")
            let told = MailContent(kind: .passwordChanged, to: "ada@example.com", locale: "en", values: [:])
            #expect(
                try renderer.message(told, id: "a", date: house.clock.now, now: house.clock.now).subject
                    == "Your password was changed")
        }
    }

    @Test func `a list of mails shows first what no visitor has worded`() async throws {
        try await withHouse { house in
            let templates = try House.content(house.services.settings).pages.templates
            let renderer = MailRenderer(templates: templates, from: house.services.settings.mailFrom)
            let told = MailContent(
                kind: .passwordChanged, to: "ada@example.com", locale: "en", values: [:],
                signIns: [MailedSignIn(at: house.clock.now, device: "Acme", address: "192.0.2.1")])
            let mail = try renderer.message(told, id: "a", date: house.clock.now, now: house.clock.now)
            let time = templates.dateAndTime(house.clock.now, locale: "en")
            #expect(mail.html.contains("\(time) · 192.0.2.1 · Acme"))
        }
    }

    /// Otherwise it could arrive last.
    @Test func `the mail of a code that is sent again does not wait any more`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            await house.mailbox.fail(.temporary("not now"))
            for address in ["new@example.com", "ada@example.com"] {
                let visitor = house.visitor()
                try await visitor.signUp(email: address)
                try await visitor.post("/signup/resend", [:])
                try await visitor.post("/reset", ["email": address])
                try await visitor.post("/reset/resend", [:])
            }
            try await member.askForEmail("next@example.com")
            _ = try await member.resendEmailCode()
            let waiting = try await house.services.store.outboxEntries(
                to: nil, after: nil, onlyFailed: false, limit: 99)
            // Nobody has the account of new@example.com.
            #expect(waiting.count == 4)
        }
    }

    @Test func `no log line holds a code, sent or refused`() async throws {
        try await withHouse(logLevel: .debug) { house in
            try await house.visitor().signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            await house.mailbox.fail(.permanent("the mail server answered 550"))
            try await house.visitor().signUp(email: "bob@example.com")
            try await house.until { house.logs.lines.contains { $0.contains("mail not sent") } }
            #expect(house.logs.lines.contains { $0.contains("mail sent") && $0.contains("kind=") })
            #expect(!house.logs.lines.contains { $0.contains(code) || $0.contains("is your Vestibule code") })
        }
    }
}
