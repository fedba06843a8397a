import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct AccountExportTests {
    private func export(_ member: Browser, password: String? = nil) async throws -> Page {
        var fields = ["csrf": try await member.get("/account").csrf ?? ""]
        fields["current_password"] = password
        return try await member.post("/account/export", fields)
    }

    @Test func `everything held comes as one file, secrets and digests not`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("new@example.com")
            let file = try await export(member)
            #expect(file.headers[.contentType] == "application/json; charset=utf-8")
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"account.json\"")
            #expect(file.headers[.cacheControl] == "no-store")
            let json = try #require(JSONSerialization.jsonObject(with: Data(file.body.utf8)) as? [String: Any])
            let account = try #require(json["account"] as? [String: Any])
            #expect(account["email"] as? String == "ada@example.com" && account["has_password"] as? Bool == true)
            #expect((json["sessions"] as? [Any])?.count == 1 && (json["consents"] as? [Any])?.count == 1)
            #expect((json["pending_email_change"] as? [String: Any])?["email"] as? String == "new@example.com")
            let kinds = (json["security_events"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
            #expect(kinds == ["email_change_requested", "login", "signup"])
            #expect(!file.body.contains("$argon2") && !file.body.contains("digest"))
            #expect(try await house.events(of: "ada@example.com").first?.kind == .exported)
        }
    }

    @Test func `second factors are in it, what they are checked by is not`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let app = try await member.addApp(at: house.clock.now)
            let codes = try await member.makeRecoveryCodes().recoveryCodes
            let file = try await export(member)
            let json = try #require(JSONSerialization.jsonObject(with: Data(file.body.utf8)) as? [String: Any])
            let factors = try #require(json["factors"] as? [String: Any])
            #expect((factors["passkeys"] as? [Any])?.isEmpty == true)
            #expect((factors["authenticator_app"] as? [String: Any])?["created_at"] != nil)
            #expect((factors["recovery_codes"] as? [String: Any])?["left"] as? Int == 10)
            #expect(!file.body.contains(app.key.text) && !file.body.contains("sealed"))
            #expect(codes.allSatisfy { !file.body.contains($0) })
        }
    }

    @Test func `a removal of second factors that waits is in it`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.addApp(at: house.clock.now)
            let account = try await house.account("ada@example.com")
            let due = try await FactorRemoval(services: house.services).ask(for: account)
            let file = try await export(member)
            let json = try #require(JSONSerialization.jsonObject(with: Data(file.body.utf8)) as? [String: Any])
            let removal = try #require(json["pending_factor_removal"] as? [String: String])
            #expect(removal == ["due_at": due?.ISO8601Format()])
        }
    }

    @Test func `after ten minutes the password is asked for, and the token renewed`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(599))
            #expect(try await export(member).headers[.contentDisposition] != nil)
            house.clock.advance(by: .seconds(1))
            let question = try await export(member).location ?? ""
            let asked = try await member.get(question)
            #expect(asked.status == .ok && asked.shows("action=\"/account/export\""))
            #expect(asked.headers[.contentDisposition] == nil)
            let wrong = try await export(member, password: "guess")
            #expect(wrong.status == .unprocessableContent && wrong.shows("That&#39;s not your current password."))
            #expect(wrong.headers[.contentDisposition] == nil)
            let token = await member.cookies["vestibule"]
            let csrf = try await member.get("/account").csrf
            let proved = try await export(member, password: Browser.goodPassword)
            #expect(proved.location == question)
            #expect(await member.cookies["vestibule"] != token)
            #expect(try await member.get("/account").csrf == csrf)
            let page = try await member.get(question)
            let link = try #require(page.body.firstMatch(of: /url=(\/account\/export\/file[^"]+)"/)?.output.1)
            #expect(try await member.get(String(link)).headers[.contentDisposition] != nil)
            let stolen = house.visitor()
            await stolen.set("vestibule", token ?? "")
            #expect(try await !stolen.isSignedIn())
        }
    }

    @Test func `strangers and forged forms get nothing`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            #expect(try await member.post("/account/export", [:]).status == .forbidden)
            let stranger = try await house.visitor().post("/account/export", [:])
            #expect(stranger.leads(to: "/login?return_to=/account/data", saying: .signInFirst))
            #expect(try await member.get("/account/export").location == "/account/data")
            #expect(try await member.get("/account/export/file").location == "/account/data")
        }
    }

    @Test func `a link to the file is good in its session, as long as the password counts`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(600))
            let page = try await export(member, password: Browser.goodPassword).location ?? ""
            let file = page.replacing("/export?", with: "/export/file?")
            let other = try await house.member("eve@example.com")
            for path in [page, file] {
                #expect(try await member.get(path).status == .ok)
                #expect(try await other.get(path).location == "/account/data")
                #expect(try await house.visitor().get(path).location == "/account/data")
            }
            house.clock.advance(by: .seconds(600))
            #expect(try await member.get(page).shows("action=\"/account/export\""))
            #expect(try await member.get(file).location == page)
        }
    }
}
