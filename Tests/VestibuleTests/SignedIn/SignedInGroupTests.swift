import HTTPTypes
import Testing

@testable import Serving
@testable import Vestibule

/// Each form of somebody who is signed in, and where strangers come back to after they have signed
/// in.
struct SignedInGroupTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let path: String
        let page: String
        var leadsBack = false

        var testDescription: String { path }
    }

    private static let passkeys = "/account/security/passkeys"

    static let forms = [
        Sent(path: "/account/profile", page: "/account"),
        Sent(path: "/account/password", page: "/account/password"),
        Sent(path: "/account/email", page: "/account/email"),
        Sent(path: "/account/terms", page: "/account"),
        Sent(path: "/account/delete", page: "/account/data"),
        Sent(path: "/account/export", page: "/account/data", leadsBack: true),
        Sent(path: "/account/sessions/end-others", page: "/account/devices", leadsBack: true),
        Sent(path: "/account/sessions/another/end", page: "/account/devices", leadsBack: true),
        Sent(path: "/account/trusted/another/end", page: "/account/devices", leadsBack: true),
        Sent(path: "/account/language", page: "/account", leadsBack: true),
        Sent(path: passkeys, page: passkeys, leadsBack: true),
        Sent(path: "\(passkeys)/another/remove", page: passkeys, leadsBack: true),
        Sent(path: "\(passkeys)/another/second", page: passkeys, leadsBack: true),
        Sent(path: "\(passkeys)/another/rename", page: passkeys),
        Sent(path: Browser.appPage, page: Browser.appPage, leadsBack: true),
        Sent(path: "\(Browser.appPage)/remove", page: Browser.appPage, leadsBack: true),
        Sent(path: Browser.codesPage, page: Browser.codesPage, leadsBack: true),
    ]

    static let providerForms = [
        Sent(path: "/account/identities/another/remove", page: "/account/security"),
        Sent(path: "/auth/continue/connect", page: "/auth/continue"),
    ]

    /// Those that do nothing unless a code was asked for.
    static let codeForms = [
        Sent(path: "/account/email/verify", page: "/account/email"),
        Sent(path: "/account/email/resend", page: "/account/email"),
    ]

    @Test(arguments: forms + codeForms)
    func `a stranger's form leads to login and then to its page`(form: Sent) async throws {
        try await withHouse { house in
            let answer = try await house.visitor().post(form.path, [:])
            #expect(answer.leads(to: "/login?return_to=\(form.page)", saying: .signInFirst))
            let late = try await house.visitor().post(form.path, ["csrf": "x"])
            #expect(late.leads(to: "/login?return_to=\(form.page)", saying: .sessionOver))
        }
    }

    @Test func `a browser that brings no cookie back after the login is told so`() async throws {
        try await withHouse { house in
            let sent = ["Referer": "http://localhost:8080/login?return_to=/account/data"]
            let page = try await house.visitor().get("/account/data", headers: sent)
            #expect(page.status == .ok && page.shows("sent no cookies"))
            #expect(page.shows("href=\"/login?return_to=/account/data\""))
        }
    }

    @Test func `who comes from elsewhere without a cookie is led to the login`() async throws {
        try await withHouse { house in
            let headers = ["Referer": "https://example.com/login"]
            let answer = try await house.visitor().get("/account", headers: headers)
            #expect(answer.location == "/login?return_to=/account")
        }
    }

    @Test(arguments: forms + codeForms)
    func `a form without a token is forbidden`(form: Sent) async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            #expect(try await member.post(form.path, [:]).status == .forbidden)
            #expect(try await member.post(form.path, ["csrf": "short"]).status == .forbidden)
            #expect(try await member.isSignedIn())
        }
    }

    /// A member, and the token of the session they had before.
    private func member(_ house: House) async throws -> (Browser, String) {
        let member = try await house.member("ada@example.com")
        let old = try await member.get("/account").csrf ?? ""
        _ = try await member.logOut()
        try await member.logIn(email: "ada@example.com")
        return (member, old)
    }

    @Test(arguments: forms)
    func `a form from before the last sign-in does nothing and says so`(form: Sent) async throws {
        try await withHouse { house in
            let (member, old) = try await member(house)
            let fields = [
                "csrf": old, "current_password": Browser.goodPassword, "confirm": "delete", "terms": "accepted",
                "display_name": "Grace", "email": "grace@example.com", "password": "a new good passphrase 7",
                "password_confirmation": "a new good passphrase 7",
            ]
            let before = try await house.events(of: "ada@example.com").count
            let answer = try await member.post(form.path, fields)
            if form.leadsBack {
                #expect(answer.leads(to: form.page, saying: .formStale))
            } else {
                #expect(answer.status == .unprocessableContent)
                #expect(answer.shows("This page was out of date. Check and send again."))
            }
            #expect(try await house.events(of: "ada@example.com").count == before)
        }
    }

    @Test(arguments: providerForms)
    func `so does one about providers`(form: Sent) async throws {
        try await withProviders { house, _ in
            let (member, old) = try await member(house)
            let answer = try await member.post(form.path, ["csrf": old])
            #expect(answer.leads(to: form.page, saying: .formStale))
        }
    }

    @Test(arguments: ["/account", "/account/security", "/account/password", "/account/delete", "/account/terms"])
    func `a stranger's page leads to login and back to it`(path: String) async throws {
        try await withHouse { house in
            let answer = try await house.visitor().get(path)
            #expect(answer.status == .seeOther)
            #expect(answer.location == "/login?return_to=\(path)")
        }
    }
}
