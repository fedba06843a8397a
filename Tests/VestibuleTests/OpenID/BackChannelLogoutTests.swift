import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// Back-Channel Logout: the modules of the conformance plan by their names, what ends a session,
/// and what is delivered.
@Suite(.timeLimit(.minutes(15)))
struct BackChannelLogoutTests {
    private let verifier = ["code_verifier": RelyingParty.verifier]
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Somebody who has entered Notes and Wiki, which hear of logouts, and Phone, which does not.
    private func withGuest(
        at url: String = "http://127.0.0.1:1/",
        _ test: @escaping @Sendable (Browser, String, House) async throws -> Void
    ) async throws {
        let own = ["VESTIBULE_APP_NOTES_LOGOUT_URL": url, "VESTIBULE_APP_WIKI_LOGOUT_URL": url]
        var environment = RelyingParty.environment.merging(own) { $1 }
        environment["VESTIBULE_APP_WIKI_GROUPS"] = nil
        try await withHouse(environment: environment, logLevel: .debug) { house in
            let ada = try await house.member("ada@example.com")
            var sessions: Set<String> = []
            for id in ["notes", "wiki", "phone", "notes"] {
                sessions.insert(try await session(try await house.party(id), ada))
            }
            #expect(sessions.count == 1)
            try await test(ada, try #require(sessions.first), house)
        }
    }

    private func session(_ party: RelyingParty, _ browser: Browser) async throws -> String {
        let reply = try await party.redeem(try await party.code(browser, RelyingParty.pkce), verifier)
        let token = try await ReadIDToken(try #require(reply["id_token"], "\(reply.texts)"), party.house)
        return try #require(token.text("sid"))
    }

    /// What waits or was given up, of logouts.
    private func waiting(_ house: House) async throws -> [Signal] {
        try await house.services.store.signals(limit: 99).map(\.signal).filter { $0.event == "logout" }
    }

    @Test func `who signs in again for an application stays signed in until then, and nobody is told`() async throws {
        try await withGuest { ada, session, house in
            let party = try await house.party("wiki")
            let fresh = RelyingParty.pkce.merging(["prompt": "login"]) { $1 }
            let asked = try await ada.get(party.path(fresh))
            let login = try #require(try await ada.decide("prove", on: asked).location)
            let form = try await ada.get(login)
            #expect(form.shows("current-password"))
            #expect(try await ada.isSignedIn())
            house.clock.advance(by: .seconds(2))
            let back = try #require(
                try await ada.logIn(email: "ada@example.com", returnTo: try form.hidden("return_to")).location)
            let code = try #require(try Answer(try await ada.get(back))["code"])
            let reply = try await party.redeem(code, verifier)
            let token = try await ReadIDToken(try #require(reply["id_token"], "\(reply.texts)"), house)
            #expect(token.text("sid") == session)
            #expect(try await waiting(house).isEmpty)

            _ = try await house.member("bob@example.com")
            let other = try #require(
                try await ada.decide("prove", on: try await ada.get(party.path(fresh))).location)
            let wish = try await ada.get(other).hidden("return_to")
            try await ada.logIn(email: "bob@example.com", returnTo: wish)
            #expect(try await Set(waiting(house).compactMap { $0.sessionID?.rawValue }) == [session])
        }
    }

    @Test func `backchannel logout discovery endpoint verification, and that of rp initiated logout`() async throws {
        try await withParty { _, _, house in
            let page = try await house.visitor().get("/.well-known/openid-configuration")
            let json = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any] ?? [:]
            #expect(json["backchannel_logout_supported"] as? Bool == true)
            #expect(json["backchannel_logout_session_supported"] as? Bool == true)
            #expect(json["end_session_endpoint"] as? String == "http://localhost:8080/oauth/logout")
        }
    }

    @Test(arguments: [("notes", "RS256"), ("wiki", "ES256")])
    func `backchannel rp initiated logout`(id: String, algorithm: String) async throws {
        try await LogoutReceiver.run { receiver, url in
            let settings = [
                "VESTIBULE_APP_\(id.uppercased())_LOGOUT_URL": url, "VESTIBULE_APP_WIKI_PKCE": "optional",
                "VESTIBULE_APP_WIKI_GROUPS": "",
            ]
            try await withParty(environment: settings, id: id) { party, ada, house in
                let (reply, token) = try await party.signIn(ada)
                let path = "/oauth/logout?id_token_hint=\(reply["id_token"] ?? "")"
                #expect(try await ada.get(path).status == .seeOther)
                try await house.until { !receiver.told.isEmpty }
                let told = receiver.told[0]
                #expect(told.type == "application/x-www-form-urlencoded" && told.path == "/out?from=door")
                #expect(Array(told.form.keys) == ["logout_token"])
                // By the published keys.
                let logout = try await ReadIDToken(told.form["logout_token"] ?? "", house)
                #expect(logout.header["alg"] == algorithm && logout.header["typ"] == "logout+jwt")
                #expect(Set(logout.claims.keys) == ["iss", "aud", "iat", "exp", "jti", "sub", "sid", "events"])
                #expect(logout.text("iss") == "http://localhost:8080" && logout.text("aud") == id)
                #expect(logout.text("sub") == token.text("sub") && logout.text("sid") == token.text("sid"))
                let start = try #require(logout.number("iat"))
                #expect(logout.number("exp") == start + 120 && start == Int(house.clock.now.timeIntervalSince1970))
                #expect(logout.text("jti")?.isEmpty == false)
                let events = try #require(logout.claims["events"] as? [String: [String: String]])
                #expect(events == [Self.event: [:]])
                let silent = try await party.answer(to: ada, ["prompt": "none"])
                #expect(silent["error"] == "login_required")
                try await house.until { try await waiting(house).isEmpty }
                #expect(receiver.told.count == 1)
            }
        }
    }

    @Test func `a logout token is no ID token, and hints at nothing`() async throws {
        try await LogoutReceiver.run { receiver, url in
            try await withParty(environment: ["VESTIBULE_APP_NOTES_LOGOUT_URL": url]) { party, ada, house in
                _ = try await party.signIn(ada)
                try await ada.logOut()
                try await house.until { !receiver.told.isEmpty }
                try await ada.logIn(email: "ada@example.com")
                let token = receiver.told[0].form["logout_token"]
                let answer = try await party.answer(to: ada, ["id_token_hint": token])
                #expect(answer["error"] == "invalid_request")
                let page = try await ada.get("/oauth/logout?id_token_hint=\(token ?? "")")
                #expect(page.heading == "Sign out?")
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func `whatever ends a session, each application that it has entered is told once`(ending: Ending) async throws {
        try await withGuest { ada, session, house in
            #expect(try await waiting(house).isEmpty)
            try await ending.happen(to: ada, house)
            let told = try await waiting(house)
            #expect(told.map(\.target).sorted() == ["app:notes", "app:wiki"])
            #expect(told.allSatisfy { $0.sessionID?.rawValue == session })
            #expect(Set(told.map(\.id)).count == 2)
        }
    }

    @Test func `signing in again, as in a second tab, tells no application, and goes on with the session`()
        async throws
    {
        try await withGuest { ada, session, house in
            try await ada.logIn(email: "ada@example.com")
            #expect(try await waiting(house).isEmpty)
            try await ada.logOut()
            #expect(try await waiting(house).map(\.sessionID?.rawValue) == [session, session])
        }
    }

    /// A thief may have a copy of the session's cookie, and have entered them with it.
    @Test(arguments: ["password", "others"])
    func `what ends all that a thief may hold ends what the session that stays has entered`(change: String)
        async throws
    {
        try await withGuest { ada, session, house in
            let party = try await house.party("wiki")
            let reply = try await party.redeem(try await party.code(ada, RelyingParty.pkce), verifier)
            let code = try await party.code(ada, RelyingParty.pkce)
            if change == "password" {
                try await Ending.changePassword(ada)
            } else {
                try await ada.post(
                    "/account/sessions/end-others", ["csrf": try await ada.get("/account/devices").csrf ?? ""])
            }
            #expect(try await ada.isSignedIn())
            #expect(try await !party.opens(reply["access_token"]))
            #expect(try await party.redeem(code, verifier)["error"] == "invalid_grant")
            let told = try await waiting(house)
            #expect(told.map(\.target).sorted() == ["app:notes", "app:wiki"])
            #expect(told.allSatisfy { $0.sessionID?.rawValue == session })
            // And enters again.
            _ = try await party.code(ada, RelyingParty.pkce)
        }
    }

    @Test func `access that ends is told, and ends no session`() async throws {
        try await withGuest { ada, session, house in
            let csrf = try await ada.get("/account/data").csrf ?? ""
            try await ada.post("/account/applications/notes/end", ["csrf": csrf])
            #expect(try await ada.isSignedIn())
            let told = try await waiting(house)
            #expect(told.map(\.target) == ["app:notes"] && told.map(\.sessionID?.rawValue) == [session])
        }
    }

    @Test(arguments: [[HTTPResponse.Status.badRequest], [.internalServerError, .badRequest]])
    func `a token that is refused for more than a minute is given up`(answers: [HTTPResponse.Status]) async throws {
        try await LogoutReceiver.run(answering: answers) { receiver, url in
            try await withParty(environment: ["VESTIBULE_APP_NOTES_LOGOUT_URL": url]) { party, ada, house in
                _ = try await party.signIn(ada)
                try await ada.logOut()
                let start = house.clock.now
                try await refuse(4, house)
                #expect(house.clock.now.timeIntervalSince(start) > 70)
                let store = house.services.store
                try await house.until { try await store.signals(limit: 9).map(\.state) == [.failed] }
                #expect(receiver.told.count == 5)
                let tokens = try receiver.told.map { try #require($0.form["logout_token"]) }
                let ids = try await [ReadIDToken(tokens[0], house), ReadIDToken(tokens[4], house)].map {
                    $0.text("jti")
                }
                #expect(ids[0] == ids[1] && tokens[0] != tokens[4])
            }
        }
    }

    /// As one that cannot fetch the keys just then.
    @Test func `an application that refuses a token for a while is told all the same`() async throws {
        try await LogoutReceiver.run(answering: [.badRequest, .badRequest, .ok]) { receiver, url in
            try await withParty(environment: ["VESTIBULE_APP_NOTES_LOGOUT_URL": url]) { party, ada, house in
                _ = try await party.signIn(ada)
                try await ada.logOut()
                try await refuse(2, house)
                let store = house.services.store
                try await house.until { try await store.signals(limit: 9).isEmpty }
                #expect(receiver.told.count == 3)
            }
        }
    }

    /// Waits until the only signal was refused so many times, each as soon as it is due.
    private func refuse(_ times: Int, _ house: House) async throws {
        for tries in 1...times {
            var next: Date?
            try await house.until {
                let entry = try await house.services.store.signals(limit: 9).first
                guard let entry, entry.signal.attempts == tries else { return entry?.state == .failed }
                if case .waiting(let due) = entry.state { next = due }
                return next != nil || entry.state == .failed
            }
            let due = try #require(next, "given up after \(tries)")
            house.clock.advance(by: .seconds(due.timeIntervalSince(house.clock.now) + 1))
        }
    }

    @Test func `a receiver that answers 410 is told once`() async throws {
        try await LogoutReceiver.run(answering: [.gone]) { receiver, url in
            try await withParty(environment: ["VESTIBULE_APP_NOTES_LOGOUT_URL": url]) { party, ada, house in
                _ = try await party.signIn(ada)
                try await ada.logOut()
                let store = house.services.store
                try await house.until { try await store.signals(limit: 9).first?.reason != nil }
                #expect(try await store.signals(limit: 9).map(\.state) == [.failed])
                #expect(receiver.told.count == 1)
            }
        }
    }

    @Test func `an address that is not in the settings any more is told of nothing`() async throws {
        try await LogoutReceiver.run { receiver, url in
            let store = try await sharedStore()
            let with = RelyingParty.environment.merging(["VESTIBULE_APP_NOTES_LOGOUT_URL": url]) { $1 }
            try await withHouse(store: store, environment: with) { house in
                let ada = try await house.member("ada@example.com")
                _ = try await house.party().signIn(ada)
            }
            try await withHouse(store: store, environment: RelyingParty.environment) { house in
                try await house.until { try await store.signals(limit: 9).isEmpty }
                let ada = house.visitor()
                try await ada.logIn(email: "ada@example.com")
                try await ada.post(
                    "/account/sessions/end-others", ["csrf": try await ada.get("/account/devices").csrf ?? ""])
                #expect(try await store.signals(limit: 9).isEmpty)
            }
            #expect(receiver.told.isEmpty)
        }
    }
}

/// What ends a session.
enum Ending: String, CaseIterable, Sendable {
    case signOut, atTheApplication, otherSignIn, endedElsewhere, othersEnded, newPasswordElsewhere, reset, takenBack
    case disabled, endedByOperator, deleted, expired

    private static let password = "staple horse battery correct"

    func happen(to ada: Browser, _ house: House) async throws {
        switch self {
        case .signOut: try await ada.logOut()
        case .atTheApplication:
            let page = try await ada.get("/oauth/logout")
            try await ada.post("/oauth/logout", ["csrf": page.csrf ?? "", "resume": try page.hidden("resume")])
        case .otherSignIn:
            _ = try await house.member("bob@example.com")
            try await ada.logIn(email: "bob@example.com")
        case .endedElsewhere, .othersEnded, .newPasswordElsewhere:
            let other = house.visitor()
            try await other.logIn(email: "ada@example.com")
            try await elsewhere(other)
        case .reset, .takenBack: try await byMail(ada, house)
        case .disabled, .endedByOperator: try await byOperator(house)
        case .deleted:
            let form = ["current_password": Browser.goodPassword, "confirm": "delete"]
            let csrf = try await ada.get("/account/delete").csrf ?? ""
            try await ada.post("/account/delete", form.merging(["csrf": csrf]) { $1 })
        case .expired:
            house.clock.advance(by: .seconds(86_400))
            try await house.tidy()
        }
        #expect(try await ada.isSignedIn() == (self == .otherSignIn))
    }

    private func elsewhere(_ other: Browser) async throws {
        guard self != .newPasswordElsewhere else { return try await Self.changePassword(other) }
        let page = try await other.get("/account/devices")
        let id = page.body.firstMatch(of: /\/account\/sessions\/([^\/]+)\/end"/).map { String($0.output.1) }
        let path = self == .endedElsewhere ? "\(id ?? "")/end" : "end-others"
        try await other.post("/account/sessions/\(path)", ["csrf": page.csrf ?? ""])
    }

    static func changePassword(_ browser: Browser) async throws {
        let csrf = try await browser.get("/account/password").csrf ?? ""
        try await browser.post(
            "/account/password",
            [
                "csrf": csrf, "current_password": Browser.goodPassword, "password": password,
                "password_confirmation": password,
            ])
    }

    private func byMail(_ ada: Browser, _ house: House) async throws {
        let visitor = house.visitor(at: "198.51.100.9")
        let new = ["password": Self.password, "password_confirmation": Self.password]
        guard self == .takenBack else {
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/reset/verify", new.merging(["code": code]) { $1 })
            return
        }
        try await ada.askForEmail("thief@example.net")
        try await ada.typeEmail(code: house.mailbox.code(for: "thief@example.net"))
        let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address was changed")
        let link = mail.text.firstMatch(of: /\/account\/email\/undo\?token=[A-Za-z0-9_-]+/)
        _ = try await visitor.open(String(try #require(link).output))
        try await visitor.askForUndoCode()
        let code = try await house.mailbox.code(
            for: "ada@example.com", subject: "Your code to take your account back")
        try await visitor.undoEmail(code: code, password: Self.password)
    }

    private func byOperator(_ house: House) async throws {
        let administration = Administration(services: house.services)
        let account = try #require(try await house.services.store.account(.address("ada@example.com"))).account
        if self == .disabled {
            #expect(try await administration.disable(account))
        } else {
            #expect(try await administration.endSessions(of: account) == 1)
        }
    }
}
