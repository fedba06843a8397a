import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// Flows that can no longer succeed offer only what works, whatever is asked of them.
@Suite(.timeLimit(.minutes(15)))
struct SpentFlowTests {
    private static let heading = "Let&#39;s start over"
    private static let off: [Setting: String] = [.limitVerify: "off", .limitMail: "off", .limitReset: "off"]

    private func expectOver(_ page: Page, _ status: HTTPResponse.Status, start: String) {
        #expect(page.status == status && page.heading == Self.heading)
        #expect(page.shows("Too many wrong codes, so this one no longer works.") && !page.shows("<form id=\"verify"))
        #expect(!page.shows("name=\"code\"") && page.shows("href=\"\(start)\">Start over</a>"))
    }

    @Test(arguments: ["/signup", "/reset"])
    func `after five wrong codes every way back says so and leads to a filled form`(start: String) async throws {
        try await withHouse(Self.off) { house in
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["return_to"] = "/privacy"
            try await visitor.post(start, fields)
            for tries in [4, 3, 2, 1] {
                let page = try await visitor.post("\(start)/verify", ["code": "99999999"])
                #expect(page.shows(tries == 1 ? "1\u{A0}try left." : "\(tries)\u{A0}tries left."))
            }
            let form = "\(start)?return_to=/privacy"
            let last = try await visitor.post("\(start)/verify", ["code": "99999999"])
            expectOver(last, .unprocessableContent, start: form)
            #expect(last.title?.hasPrefix("Error: ") == true)
            let late = try await visitor.post("\(start)/verify", ["code": "99999999"])
            expectOver(late, .tooManyRequests, start: form)
            for path in ["\(start)/verify", "\(start)/verify?lang=en"] {
                expectOver(try await visitor.get(path), .ok, start: form)
            }
            #expect(try await visitor.post("\(start)/resend", [:]).location == "\(start)/verify")
            let again = try await visitor.get(form)
            #expect(again.shows("value=\"ada@example.com\"") && again.shows("name=\"return_to\" value=\"/privacy\""))
        }
    }

    @Test func `five wrong codes for a new address say so, too`() async throws {
        try await withHouse(Self.off) { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("new@example.com")
            for _ in 0..<4 {
                #expect(try await member.typeEmail(code: "99999999").shows("value=\"99999999\""))
            }
            expectOver(try await member.typeEmail(code: "99999999"), .unprocessableContent, start: "/account/email")
            expectOver(try await member.get("/account/email/verify"), .ok, start: "/account/email")
            #expect(try await member.resendEmailCode().location == "/account/email/verify")
        }
    }

    @Test func `who has proved a taken address is told on every visit of the page`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["return_to"] = "/privacy"
            try await visitor.post("/signup", fields)
            let code = try await house.mailbox.code(for: "ada@example.com")
            let told = try await visitor.type(code: code)
            #expect(told.status == .unprocessableContent && told.heading == "You already have an account")
            #expect(told.shows("href=\"/login?return_to=/privacy\""))
            let reloaded = try await visitor.get("/signup/verify")
            #expect(reloaded.status == .ok && reloaded.heading == "You already have an account")
            #expect(try await visitor.get("/login").shows("value=\"ada@example.com\""))
            #expect(try await house.visitor().get("/signup/verify").shows("cookies may be blocked"))
        }
    }

    @Test(arguments: ["/signup", "/reset"])
    func `a flow that took too long leads to its form, filled, with the cause and where to go`(start: String)
        async throws
    {
        try await withHouse { house in
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["return_to"] = "/privacy"
            try await visitor.post(start, fields)
            house.clock.advance(by: .seconds(3601))
            var late = try await visitor.post("\(start)/verify", ["code": "123456"])
            if late.location == "/signup/verify" { late = try await visitor.get("/signup/verify") }
            #expect(late.leads(to: "\(start)?return_to=/privacy", saying: .flowExpired))
            let form = try await visitor.get(late.location ?? "")
            #expect(form.heading == Self.heading && form.shows("That took too long"))
            #expect(form.shows("value=\"ada@example.com\"") && form.shows("name=\"return_to\" value=\"/privacy\""))
            let other = house.visitor()
            try await other.get("/login?lang=de")
            #expect(try await other.get("\(start)/verify").leads(to: start, saying: .flowUnknown))
        }
    }

    @Test(arguments: ["/signup", "/reset"])
    func `a browser that keeps no cookies is told so where it asks for the page of the code`(start: String)
        async throws
    {
        try await withHouse { house in
            let page = try await house.visitor().get("\(start)/verify")
            #expect(page.status == .ok && page.shows("cookies may be blocked") && page.shows("href=\"\(start)\""))
        }
    }
}
