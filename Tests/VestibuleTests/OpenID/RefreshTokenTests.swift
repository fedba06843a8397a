import Crypto
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct RefreshTokenTests {
    private func first(_ party: RelyingParty, _ browser: Browser) async throws -> TokenReply {
        try await party.signIn(browser, ["scope": "openid offline_access"]).0
    }

    @Test func `a replayed refresh token ends its family and what it gave`() async throws {
        try await withParty { party, ada, house in
            let stolen = try await first(party, ada)["refresh_token"] ?? ""
            let owner = try await party.refresh(stolen)
            #expect(owner.status == .ok)
            #expect(try await party.refresh(stolen)["error"] == "invalid_grant")
            #expect(try await party.refresh(owner["refresh_token"] ?? "")["error"] == "invalid_grant")
            #expect(try await !party.opens(owner["access_token"]))
            #expect(try await house.events(of: "ada@example.com").first?.kind == .refreshReplayed)
            #expect(house.logs.lines(of: "authn_token_reuse").count == 1)
        }
    }

    @Test func `a refreshed ID token tells of no later proof`() async throws {
        try await withParty { party, ada, house in
            var reply = try await first(party, ada)
            let first = try await ReadIDToken(reply["id_token"] ?? "", house)
            reply = try await party.refresh(reply["refresh_token"] ?? "")
            let second = try await ReadIDToken(reply["id_token"] ?? "", house)
            let time = try #require(first.claims["auth_time"] as? Int)
            #expect(second.claims["auth_time"] as? Int == time)
            house.clock.advance(by: .seconds(601))
            try await ada.submit("/account/export", ["current_password": Browser.goodPassword])
            reply = try await party.refresh(reply["refresh_token"] ?? "")
            let later = try await ReadIDToken(reply["id_token"] ?? "", house)
            #expect(later.claims["sub"] != nil && later.claims["auth_time"] == nil)
        }
    }

    @Test func `of a session and a client twenty access tokens are good`() async throws {
        try await withParty { party, ada, house in
            var reply = try await first(party, ada)
            var access: [String?] = []
            for _ in 0...20 {
                access.append(reply["access_token"])
                house.clock.advance(by: .seconds(1))
                reply = try await party.refresh(reply["refresh_token"] ?? "")
            }
            for token in access.prefix(2) { #expect(try await !party.opens(token)) }
            for token in access.dropFirst(2) { #expect(try await party.opens(token)) }
        }
    }

    @Test func `of fifty uses at once at most one wins, and the family has ended`() async throws {
        try await withParty { party, ada, _ in
            let token = try await first(party, ada)["refresh_token"] ?? ""
            let replies = try await withThrowingTaskGroup(of: TokenReply.self) { group in
                for _ in 0..<50 { group.addTask { try await party.refresh(token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let won = replies.filter { $0.status == .ok }
            #expect(won.count == 1)
            #expect(try await party.refresh(won[0]["refresh_token"] ?? "")["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [
        "sign-out", "password here", "password elsewhere", "address", "disabled", "idle", "revoked", "consent",
        "second factor",
    ])
    func `a refresh token is dead with what it rests on`(cause: String) async throws {
        try await withParty { party, ada, house in
            let token = try await first(party, ada)["refresh_token"] ?? ""
            switch cause {
            case "sign-out": try await ada.logOut()
            case "password here": try await TokenEndpointTests.changePassword(ada, house)
            case "password elsewhere": try await TokenEndpointTests.changePassword(house.visitor(), house)
            case "address":
                try await ada.askForEmail("countess@example.com")
                try await ada.typeEmail(code: house.mailbox.code(for: "countess@example.com"))
            case "disabled":
                let account = try await house.account("ada@example.com")
                #expect(try await Administration(services: house.services).disable(account))
            case "second factor": try await ada.addApp(at: house.clock.now)
            case "idle": house.clock.advance(by: .seconds(12 * 3600))
            case "consent":
                try await ada.post(
                    "/account/applications/notes/end", ["csrf": try await ada.get("/account").csrf ?? ""])
            default:
                let basic = Data("notes:\(party.secret ?? "")".utf8).base64EncodedString()
                #expect(
                    try await house.visitor().post(
                        "/oauth/revoke", ["token": token], headers: ["Authorization": "Basic \(basic)"]
                    ).status == .ok)
            }
            #expect(try await party.refresh(token)["error"] == "invalid_grant")
        }
    }

    @Test func `there is none where the settings do not offer it, and none for another client`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_WIKI_OFFLINE": "on", "VESTIBULE_APP_WIKI_GROUPS": ""]) {
            party, ada, house in
            let token = try await first(party, ada)["refresh_token"] ?? ""
            let wiki = try await house.party("wiki")
            let offline = RelyingParty.pkce.merging(["scope": "openid offline_access"]) { $1 }
            let entry = try await wiki.code(ada, offline)
            let own = try await wiki.redeem(entry, ["code_verifier": RelyingParty.verifier])["refresh_token"] ?? ""
            #expect(try await wiki.refresh(token)["error"] == "invalid_grant")
            #expect(try await wiki.refresh(own).status == .ok)
            #expect(try await party.refresh(token).status == .ok)
            let phone = try await house.party("phone")
            let code = try await phone.code(ada, offline)
            let reply = try await phone.redeem(code, ["code_verifier": RelyingParty.verifier])
            #expect(reply.status == .ok && reply["refresh_token"] == nil && reply["scope"] == "openid")
            #expect(try await phone.refresh(token)["error"] == "unauthorized_client")
        }
    }

    @Test func `a session has one family: a new sign-in ends the one before`() async throws {
        try await withParty { party, ada, _ in
            let old = try await first(party, ada)["refresh_token"] ?? ""
            let new = try await first(party, ada)["refresh_token"] ?? ""
            #expect(try await party.refresh(old)["error"] == "invalid_grant")
            #expect(try await party.refresh(new).status == .ok)
        }
    }

    @Test func `a refusal for want of a group does not use the token up`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_NOTES_GROUPS": "staff"]) { party, ada, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let token = try await first(party, ada)["refresh_token"] ?? ""
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            #expect(try await party.refresh(token)["error"] == "invalid_grant")
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            #expect(try await party.refresh(token).status == .ok)
            #expect(try await !house.events(of: "ada@example.com").contains { $0.kind == .refreshReplayed })
        }
    }

    @Test func `a code that is refused for want of a group ends no refresh token`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_NOTES_GROUPS": "staff"]) { party, ada, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let token = try await first(party, ada)["refresh_token"] ?? ""
            let code = try await party.code(ada)
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            #expect(try await party.redeem(code)["error"] == "invalid_grant")
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let renewed = try await party.refresh(token)
            #expect(renewed.status == .ok)
            #expect(try await party.redeem(code)["error"] == "invalid_grant")
            #expect(try await party.refresh(renewed["refresh_token"] ?? "").status == .ok)
            #expect(try await !house.events(of: "ada@example.com").contains { $0.kind == .codeReplayed })
        }
    }

    @Test func `what a trusted application was given is worth nothing without a consent once it is not trusted`()
        async throws
    {
        let (store, environment) = (try await sharedStore(), RelyingParty.environment)
        let trusted = environment.merging(["VESTIBULE_APP_NOTES_TRUSTED": "on"]) { $1 }
        try await withHouse(store: store, environment: trusted) { house in
            let (party, ada) = (try await house.party(), try await house.member("ada@example.com"))
            let given = try await first(party, ada)
            let (token, code) = (given["refresh_token"] ?? "", try await party.code(ada))
            try await withHouse(store: store, environment: environment) { house in
                let same = RelyingParty(house: house, id: party.id, secret: party.secret, redirect: party.redirect)
                #expect(try await !same.opens(given["access_token"]))
                #expect(try await same.refresh(token)["error"] == "invalid_grant")
                #expect(try await same.redeem(code)["error"] == "invalid_grant")
                let browser = house.visitor()
                for (name, value) in await ada.cookies { await browser.set(name, value) }
                // Less than it was given.
                _ = try await same.code(browser, ["scope": "openid"])
                #expect(try await !same.opens(given["access_token"]))
                _ = try await same.code(browser, ["scope": "openid offline_access"])
                #expect(try await same.opens(given["access_token"]))
                #expect(try await same.refresh(token).status == .ok)
            }
        }
    }

    @Test func `a refresh token gives nothing once the settings offer none any more`() async throws {
        let (store, environment) = (try await sharedStore(), RelyingParty.environment)
        try await withHouse(store: store, environment: environment) { house in
            let party = try await house.party()
            let ada = try await house.member("ada@example.com")
            let token = try await first(party, ada)["refresh_token"] ?? ""
            let off = environment.merging(["VESTIBULE_APP_NOTES_OFFLINE": "off"]) { $1 }
            try await withHouse(store: store, environment: off) { house in
                let same = RelyingParty(house: house, id: party.id, secret: party.secret, redirect: party.redirect)
                let refused = try await same.refresh(token)
                #expect(refused["error"] == "unauthorized_client")
            }
            let reply = try await party.refresh(token)
            #expect(reply.status == .ok)
        }
    }

    @Test func `where nothing can be signed no code and no token is used up, and the answer is JSON`() async throws {
        let (store, environment) = (try await sharedStore(), RelyingParty.environment)
        try await withHouse(store: store, environment: environment) { house in
            let ada = try await house.member("ada@example.com")
            let party = try await house.party()
            let token = try await first(party, ada)["refresh_token"] ?? ""
            let code = try await party.code(ada)
            let key = SecretKey(current: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
            try await withHouse(store: store, key: key, environment: environment) { other in
                let basic = Data("notes:\(party.secret ?? "")".utf8).base64EncodedString()
                for fields in [
                    ["grant_type": "refresh_token", "refresh_token": token],
                    ["grant_type": "authorization_code", "code": code, "redirect_uri": party.redirect],
                ] {
                    let refused = try await other.visitor().post(
                        "/oauth/token", fields, headers: ["Authorization": "Basic \(basic)"])
                    #expect(refused.status == .internalServerError && refused.shows(#"{"error":"server_error"}"#))
                }
            }
            #expect(try await party.refresh(token).status == .ok)
            #expect(try await party.redeem(code).status == .ok)
        }
    }
}
