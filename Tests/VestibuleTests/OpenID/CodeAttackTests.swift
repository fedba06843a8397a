import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// What a stolen, guessed or moved code is worth: nothing.
@Suite(.timeLimit(.minutes(15)))
struct CodeAttackTests {
    @Test func `a code opens nothing for another client, and stays good for its own, with what it gave`()
        async throws
    {
        try await withParty { party, ada, house in
            let code = try await party.code(ada, RelyingParty.pkce)
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let wiki = try await house.party("wiki")
            let shown = ["code_verifier": RelyingParty.verifier, "redirect_uri": party.redirect]
            for redirect in [party.redirect, wiki.redirect] {
                let reply = try await wiki.redeem(code, shown.merging(["redirect_uri": redirect]) { $1 })
                #expect(reply.status == .badRequest && reply["error"] == "invalid_grant")
            }
            let given = try await party.redeem(code, shown)
            #expect(given.status == .ok)
            #expect(try await wiki.redeem(code, shown)["error"] == "invalid_grant")
            #expect(try await party.opens(given["access_token"]))
            #expect(try await !house.events(of: "ada@example.com").contains { $0.kind == .codeReplayed })
        }
    }

    @Test(arguments: [
        ["redirect_uri": "https://notes.example/in?from=site"], ["redirect_uri": ""],
        ["redirect_uri": "https://notes.example/in/"], ["code_verifier": RelyingParty.verifier],
        ["code": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], ["code": "x"], ["code": ""],
    ])
    func `with anything else than was asked for a code is worth nothing`(change: [String: String]) async throws {
        try await withParty { party, ada, _ in
            let code = try await party.code(ada)
            let reply = try await party.redeem(code, change.mapValues { $0 })
            let error = change.values.contains("") ? "invalid_request" : "invalid_grant"
            #expect(reply.status == .badRequest && reply["error"] == error)
            #expect(try await party.redeem(code).status == .ok)
        }
    }

    @Test(arguments: [nil, "", "x", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl", RelyingParty.challenge])
    func `without the right verifier a code with a challenge is worth nothing`(verifier: String?) async throws {
        try await withParty { party, ada, _ in
            let code = try await party.code(ada, RelyingParty.pkce)
            let reply = try await party.redeem(code, ["code_verifier": verifier])
            #expect(reply["error"] == "invalid_grant")
            #expect(try await party.redeem(code, ["code_verifier": RelyingParty.verifier]).status == .ok)
        }
    }

    /// RFC 7636 section 4.1.
    @Test(arguments: [(42, false), (43, true), (128, true), (129, false)])
    func `a verifier has 43 to 128 characters`(length: Int, isTaken: Bool) async throws {
        try await withParty { party, ada, _ in
            let verifier = String(repeating: "a", count: length)
            let challenge = Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
            let code = try await party.code(ada, ["code_challenge": challenge, "code_challenge_method": "S256"])
            let reply = try await party.redeem(code, ["code_verifier": verifier])
            #expect(reply["error"] == (isTaken ? nil : "invalid_grant"))
        }
    }

    @Test func `a code lives a minute`() async throws {
        try await withParty { party, ada, house in
            let (early, late) = (try await party.code(ada), try await party.code(ada))
            house.clock.advance(by: .seconds(59))
            #expect(try await party.redeem(early).status == .ok)
            house.clock.advance(by: .seconds(1))
            #expect(try await party.redeem(late)["error"] == "invalid_grant")
        }
    }

    @Test func `what was made more than a minute later than now has expired`() async throws {
        try await withParty { party, ada, house in
            let (first, second) = (try await party.code(ada), try await party.code(ada))
            // As on a node whose clock is behind.
            house.clock.set(by: -60)
            let given = try await party.redeem(first)
            #expect(given.status == .ok)
            house.clock.set(by: -1)
            #expect(try await party.redeem(second)["error"] == "invalid_grant")
            #expect(try await party.opens(given["access_token"]))
            house.clock.set(by: -60)
            #expect(try await !party.opens(given["access_token"]))
            #expect(try await ada.isSignedIn())
        }
    }

    @Test func `of fifty uses at once at most one wins, and what it gave has ended`() async throws {
        try await withParty { party, ada, _ in
            let code = try await party.code(ada)
            let replies = try await withThrowingTaskGroup(of: TokenReply.self) { group in
                for _ in 0..<50 { group.addTask { try await party.redeem(code) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let won = replies.filter { $0.status == .ok }
            #expect(won.count == 1 && replies.count { $0["error"] == "invalid_grant" } == 49)
            #expect(try await !party.opens(won[0]["access_token"]))
        }
    }

    @Test(arguments: ["sign-out", "new proof", "disabled"])
    func `a code is dead with the session it was made for, and with its token`(end: String) async throws {
        try await withParty { party, ada, house in
            // The proof of the sign-up does not count any more.
            house.clock.advance(by: .seconds(601))
            let code = try await party.code(ada)
            switch end {
            case "sign-out": try await ada.logOut()
            case "disabled":
                let account = try await house.account("ada@example.com")
                #expect(try await Administration(services: house.services).disable(account))
            default:
                let fields = [
                    "csrf": try await ada.get("/account").csrf ?? "", "current_password": Browser.goodPassword,
                ]
                try await ada.post("/account/export", fields)
            }
            #expect(try await party.redeem(code)["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [
        ["code_challenge": RelyingParty.challenge, "code_challenge_method": "plain"],
        ["code_challenge": RelyingParty.challenge], ["code_challenge_method": "S256"],
        ["code_challenge": "short", "code_challenge_method": "S256"],
        ["code_challenge": RelyingParty.challenge + "=", "code_challenge_method": "S256"],
    ])
    func `a challenge that is plain, unnamed or malformed is refused`(parameters: [String: String]) async throws {
        try await withParty { party, ada, _ in
            let answer = try await party.answer(to: ada, parameters.mapValues { $0 })
            #expect(answer["error"] == "invalid_request" && answer["code"] == nil)
        }
    }

    @Test(arguments: ["wiki", "phone"])
    func `where PKCE is required, a request and a code without it get nothing`(id: String) async throws {
        try await withParty(id: id) { party, ada, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            #expect(try await party.answer(to: ada)["error"] == "invalid_request")
            let code = try await party.code(ada, RelyingParty.pkce)
            #expect(try await party.redeem(code)["error"] == "invalid_grant")
            #expect(try await party.redeem(code, ["code_verifier": RelyingParty.verifier]).status == .ok)
        }
    }

    @Test func `more than twenty codes of one session end the oldest`() async throws {
        try await withParty { party, ada, house in
            let first = try await party.code(ada)
            house.clock.advance(by: .seconds(1))
            var codes: [String] = []
            for _ in 0..<20 { codes.append(try await party.code(ada)) }
            #expect(try await party.redeem(first)["error"] == "invalid_grant")
            #expect(try await party.redeem(codes[0]).status == .ok)
        }
    }

    @Test func `a second use of a code leaves a trace, and more uses none`() async throws {
        try await withParty { party, ada, house in
            let code = try await party.code(ada)
            _ = try await party.redeem(code)
            for _ in 0..<5 { #expect(try await party.redeem(code)["error"] == "invalid_grant") }
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .codeReplayed } == 1)
        }
    }

    @Test(arguments: [SecurityEvent.Kind.codeReplayed, .refreshReplayed])
    func `second uses again and again leave few rows, and push no consent off the page`(
        kind: SecurityEvent.Kind
    ) async throws {
        try await withParty { party, ada, house in
            for _ in 1...60 {
                house.clock.advance(by: .seconds(1))
                let code = try await party.code(ada, ["scope": "openid offline_access"])
                let refresh = try await party.redeem(code)["refresh_token"] ?? ""
                let isOfCode = kind == .codeReplayed
                if !isOfCode { #expect(try await party.refresh(refresh).status == .ok) }
                let second = isOfCode ? try await party.redeem(code) : try await party.refresh(refresh)
                #expect(second["error"] == "invalid_grant")
            }
            let counts = try await house.events(of: "ada@example.com").filter { $0.kind == kind }.map(\.count)
            #expect(counts == [50] + Array(repeating: 1, count: 10))
            #expect(try await ada.get("/account/activity").shows("Application allowed to use the account"))
        }
    }

    @Test func `a second use is noticed after twenty more codes of the session, too`() async throws {
        try await withParty { party, ada, house in
            let code = try await party.code(ada)
            let given = try await party.redeem(code)
            house.clock.advance(by: .seconds(1))
            for _ in 0..<20 { _ = try await party.code(ada) }
            #expect(try await party.opens(given["access_token"]))
            #expect(try await party.redeem(code)["error"] == "invalid_grant")
            #expect(try await !party.opens(given["access_token"]))
        }
    }
}
