import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct LoginTests {
    @Test func `a member signs in, out and in again`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            #expect(try await member.logOut().location == "/")
            #expect(try await !member.isSignedIn())
            #expect(try await member.logIn(email: " ADA@example.COM ").location == "/account")
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `every cause of failure gets the same answer`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            try await house.visitor().signUp(email: "pending@example.com")
            var answers: Set<String> = []
            for email in ["ada@example.com", "nobody@example.com", "pending@example.com"] {
                let page = try await house.visitor().logIn(email: email, password: "not the password")
                #expect(page.status == .unprocessableContent)
                #expect(page.shows("Invalid email or password."))
                answers.insert(page.body.replacing("value=\"\(email)\"", with: ""))
                #expect(page.headers[.setCookie] == nil)
            }
            #expect(answers.count == 1)
        }
    }

    @Test(arguments: [
        ("", "", ["email": "Enter your email address.", "password": "Enter your password."]),
        (" ", "secret", ["email": "Enter your email address."]),
        (
            "no address", "",
            [
                "email": "Enter an email address like name@example.com.", "password": "Enter your password.",
            ]
        ),
        ("ada@example.com", "", ["password": "Enter your password."]),
        ("nobody@example.com", "", ["password": "Enter your password."]),
    ])
    func `what can be right for nobody is said at its field, before any limit`(
        email: String, password: String, sentences: [String: String]
    ) async throws {
        try await withHouse([.limitLogin: "1/h/ip"]) { house in
            _ = try await house.member("ada@example.com")
            for _ in 0..<3 {
                let page = try await house.visitor().logIn(email: email, password: password)
                #expect(page.status == .unprocessableContent && page.shows("<title>Error: "))
                #expect(page.shows(LoginPage.error("login-email", sentences["email"])))
                #expect(page.shows(LoginPage.error("current-password", sentences["password"])))
                #expect(!page.shows("Invalid email or password."))
                #expect(page.shows("value=\"\(email)\""))
            }
            #expect(try await !house.events(of: "ada@example.com").contains { $0.kind == .loginFailed })
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .tooManyRequests)
        }
    }

    @Test func `both fields of a refused login say why`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().logIn(email: "ada@example.com", password: "guess")
            for field in ["login-email", "current-password"] {
                let said = "<span class=\"visually-hidden spoken\">Error: Invalid email or password.</span>"
                #expect(page.shows("<p class=\"error\" id=\"\(field)-error\">\(said)</p>"))
            }
        }
    }

    @Test func `a password is compared exactly, after NFC`() async throws {
        try await withHouse { house in
            let password = " caf\u{E9} au lait, s'il vous plait "
            _ = try await house.member("ada@example.com", password: password)
            let decomposed = " cafe\u{301} au lait, s'il vous plait "
            #expect(try await house.visitor().logIn(email: "ada@example.com", password: decomposed).status == .seeOther)
            let trimmed = password.trimmingCharacters(in: .whitespaces)
            let refused = try await house.visitor().logIn(email: "ada@example.com", password: trimmed)
            #expect(refused.status == .unprocessableContent)
        }
    }

    @Test func `a very long password works whole`() async throws {
        try await withHouse { house in
            let password = String(repeating: "long enough? ", count: 70)
            _ = try await house.member("ada@example.com", password: password)
            let cut = String(password.dropLast())
            #expect(try await house.visitor().logIn(email: "ada@example.com", password: cut).status != .seeOther)
            #expect(try await house.visitor().logIn(email: "ada@example.com", password: password).status == .seeOther)
        }
    }

    @Test(arguments: [
        ("/terms", "/terms"), ("//evil.example", "/account"), ("https://evil.example/", "/account"),
        ("/\\evil.example", "/account"), ("javascript:alert(1)", "/account"), ("/a\r\nSet-Cookie: x=1", "/account"),
        ("https://app.example/in", "https://app.example/in"), ("https://app.example.evil.example/", "/account"),
        ("https://app.example@evil.example/", "/account"),
        ("http://localhost:8080/terms", "http://localhost:8080/terms"),
    ])
    func `return_to leads to us or an allowed origin only`(wish: String, destination: String) async throws {
        try await withHouse([.returnToOrigins: "https://app.example"]) { house in
            _ = try await house.member("ada@example.com")
            let answer = try await house.visitor().logIn(email: "ada@example.com", returnTo: wish)
            #expect(answer.location == destination)
        }
    }

    @Test func `clicking twice while an old hash is replaced signs in twice`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.argon2Iterations: "2"], store: store) { house in
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await house.visitor().logIn(email: "ada@example.com").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: .seeOther, count: 4))
            #expect(try await !house.events(of: "ada@example.com").contains { $0.kind == .loginFailed })
        }
    }

    @Test func `a hash of older parameters is renewed at login`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.argon2Iterations: "2"], store: store) { house in
            let key = Array(repeating: UInt8(0), count: 16)
            let old = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: key)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            let new = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: key)
            #expect(old.passwordHash != new.passwordHash)
            #expect(new.passwordHash?.phc.hasPrefix("$argon2id$v=19$m=64,t=2,p=1$") == true)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `after a hundred failures in a row only a known browser gets in`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let owner = try await house.member("ada@example.com")
            for _ in 0..<100 {
                try await house.visitor().logIn(email: "ada@example.com", password: "guess")
            }
            let stranger = try await house.visitor().logIn(email: "ada@example.com")
            #expect(stranger.shows("Invalid email or password."))
            try await owner.logOut()
            #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test(arguments: [false, true])
    func `the right password is refused if the hundredth failure is counted while it is checked`(
        hasFactor: Bool
    ) async throws {
        try await withHouse([.limitLogin: "off", .hashingThreads: "1"]) { house in
            let owner = try await house.member("ada@example.com")
            if hasFactor { try await owner.addApp(at: house.clock.now) }
            let failure = house.services.author.event(.loginFailed, try await house.account("ada@example.com").id)
            let answer = try await house.whileHashing {
                let answer = Task { try await house.visitor().logIn(email: "ada@example.com") }
                try await house.until { house.services.hasher.waiting == 1 }
                for _ in 0..<100 {
                    try await house.services.store.loginFailed(
                        failuresKey: House.key.failuresKey("ada@example.com"), event: failure)
                }
                return answer
            }
            let page = try await answer.value
            #expect(page.status == .unprocessableContent && page.shows("Invalid email or password."))
            #expect(try await house.failuresInARow("ada@example.com") == 101)
        }
    }

    @Test func `a full hashing queue sheds load instead of waiting`() async throws {
        try await withHouse([.hashingThreads: "1", .hashingQueue: "1", .argon2MemoryKiB: "20000", .limitLogin: "off"]) {
            house in
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<12 {
                    group.addTask { try await house.visitor().logIn(email: "a@example.com", password: "x").status }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses[.serviceUnavailable, default: 0] > 0)
            #expect(statuses[.unprocessableContent, default: 0] > 0)
        }
    }
}

/// How the login page says what is wrong with a field.
private enum LoginPage {
    static func error(_ field: String, _ sentence: String?) -> String {
        let said = sentence.map { "<span class=\"visually-hidden\">Error:</span> \($0)\n" } ?? ""
        return "<p class=\"error\" id=\"\(field)-error\">\(said)</p>"
    }
}
