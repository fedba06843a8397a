import Bytes
import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SignupTests {
    @Test func `a visitor signs up, types the code and is signed in`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let answer = try await visitor.signUp(email: "ada@example.com")
            #expect(answer.status == .seeOther)
            #expect(answer.location == "/signup/verify")
            #expect(try await visitor.get("/signup/verify").shows("code for \(Page.address("ada@example.com")) below."))
            let done = try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            #expect(done.status == .seeOther)
            #expect(done.location == "/account")
            let account = try await visitor.get("/account")
            #expect(account.shows("Ada Lovelace") && account.shows("ada@example.com"))
            #expect(account.notice?.hasPrefix("Welcome, Ada Lovelace. Your account is ready.") == true)
            #expect(try await visitor.get("/account").notice == nil)
            #expect(await visitor.cookies["vestibule-flow"] == nil)
        }
    }

    @Test func `marks of direction that came along with a name and an address are no part of either`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            var form = Browser.signupFields(email: "\u{202A}Ada@example.com\u{202C}")
            form["display_name"] = "\u{200F}محمد\u{200F}"
            #expect(try await visitor.post("/signup", form).location == "/signup/verify")
            let done = try await visitor.type(code: house.mailbox.code(for: "Ada@example.com"))
            #expect(done.location == "/account")
            let account = try #require(try await house.services.store.record("ada@example.com").account)
            #expect(account.email.typed.isExactly("Ada@example.com") && account.displayName.isExactly("محمد"))
            for typed in ["ada@example.com", "\u{2066}ada@example.com\u{2069}", "\u{FEFF}ADA@example.com\u{61C}"] {
                #expect(try await house.visitor().logIn(email: typed).location == "/account")
            }
            let reset = house.visitor()
            #expect(try await reset.post("/reset", ["email": "\u{200E}ada@example.com"]).location == "/reset/verify")
        }
    }

    @Test func `no account exists before the code is typed`() async throws {
        try await withHouse { house in
            try await house.visitor().signUp(email: "ada@example.com")
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .unprocessableContent)
        }
    }

    @Test func `a taken address gets the same answer, and its owner learns it by mail and code`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let stranger = house.visitor()
            let free = try await house.visitor().signUp(email: "bob@example.com")
            let taken = try await stranger.signUp(email: "Ada@EXAMPLE.com")
            #expect(taken.status == free.status && taken.location == free.location && taken.body == free.body)
            #expect(taken.headers.map(\.name) == free.headers.map(\.name))
            let mail = try await house.mailbox.next(to: "Ada@EXAMPLE.com")
            #expect(mail.subject != "")
            let owner = try await stranger.type(code: codeIn(mail.text))
            #expect(owner.status == .unprocessableContent)
            #expect(owner.shows("An account with this email already exists. Try signing in instead."))
            #expect(!owner.shows("?lang=de"))
            #expect(try await !stranger.isSignedIn())
        }
    }

    @Test func `the owner of a disabled account is not told to sign in, and the page says what it says to all`()
        async throws
    {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            try await house.disable("ada@example.com")
            let visitor = house.visitor()
            let free = try await house.visitor().signUp(email: "bob@example.com")
            let taken = try await visitor.signUp(email: "ada@example.com")
            #expect(taken.status == free.status && taken.location == free.location && taken.body == free.body)
            for isResent in [false, true] {
                if isResent { try await visitor.post("/signup/resend", [:]) }
                let mail = try await house.mailbox.next(to: "ada@example.com", subject: "You already have an account")
                for text in [mail.text, mail.html] {
                    #expect(text.contains("There is one already, but it is locked"))
                    #expect(
                        !text.contains("can simply sign in") && !text.contains("/login") && !text.contains("/reset"))
                }
            }
        }
    }

    @Test func `an empty form is told what to enter, and nothing of passwords that differ`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().post("/signup", [:])
            #expect(page.status == .unprocessableContent)
            for sentence in ["Enter your name.", "Enter a password.", "Repeat your password.", "Accept the terms"] {
                #expect(page.shows("\">\(sentence)"), "\(sentence)")
            }
            #expect(!page.shows("</span> The passwords don&#39;t match."))
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["password_confirmation"] = ""
            #expect(try await house.visitor().post("/signup", fields).shows("</span> Repeat your password."))
            fields["password_confirmation"] = "something else"
            let different = try await house.visitor().post("/signup", fields)
            #expect(different.shows("</span> The passwords don&#39;t match."))
            fields["password"] = ""
            let lonely = try await house.visitor().post("/signup", fields)
            #expect(lonely.shows("</span> Enter a password."))
            #expect(!lonely.shows("</span> The passwords don&#39;t match."))
        }
    }

    @Test func `the code works only in the browser that asked for it`() async throws {
        try await withHouse { house in
            let victim = house.visitor()
            try await victim.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let attacker = house.visitor()
            try await attacker.signUp(email: "mallory@example.com")
            #expect(try await attacker.type(code: code).shows("That code is wrong or has expired."))
            #expect(try await house.visitor().type(code: code).shows("cookies may be blocked"))
        }
    }

    @Test func `who registered somebody else's address first gets nothing`() async throws {
        try await withHouse { house in
            let attacker = house.visitor()
            try await attacker.signUp(email: "ada@example.com", password: "the attacker's own password")
            let attackersCode = try await house.mailbox.code(for: "ada@example.com")
            _ = try await house.member("ada@example.com")
            #expect(try await attacker.type(code: attackersCode).status == .unprocessableContent)
            #expect(try await !attacker.isSignedIn())
            let attempt = try await attacker.logIn(email: "ada@example.com", password: "the attacker's own password")
            #expect(attempt.status == .unprocessableContent)
        }
    }

    @Test func `twenty parallel right codes make one account`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let flow = await visitor.cookies["vestibule-flow"] ?? ""
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor()
                        await tab.set("vestibule-flow", flow)
                        try await tab.type(code: code)
                        return try await tab.isSignedIn()
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func `a hundred parallel sign-ups of one address make one account`() async throws {
        try await withHouse([.limitSignup: "off", .limitMail: "off", .limitVerify: "off"]) { house in
            var pairs: [(flow: String, code: String)] = []
            for _ in 0..<100 {
                let visitor = house.visitor()
                try await visitor.signUp(email: "ada@example.com")
                let code = try await house.mailbox.code(for: "ada@example.com")
                pairs.append((await visitor.cookies["vestibule-flow"] ?? "", code))
            }
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for pair in pairs {
                    group.addTask { try await house.redeem(code: pair.code, flow: pair.flow) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func `a hundred parallel sign-ups without verification make one account`() async throws {
        try await withHouse([.limitSignup: "off", .verification: "off", .hashingQueue: "100"]) { house in
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await house.visitor().signUp(email: "ada@example.com").location == "/account" }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func `a code lives ten minutes and five tries`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let late = house.visitor()
            try await late.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            house.clock.advance(by: .seconds(601))
            #expect(try await late.type(code: code).shows("That code is wrong or has expired."))

            let guesser = house.visitor()
            try await guesser.signUp(email: "bob@example.com")
            let right = try await house.mailbox.code(for: "bob@example.com")
            let wrong = right == "000000" ? "000001" : "000000"
            for _ in 0..<5 { try await guesser.type(code: wrong) }
            let spent = try await guesser.type(code: right)
            #expect(spent.status == .tooManyRequests)
            #expect(spent.shows("Too many wrong codes, so this one no longer works."))
            #expect(
                !spent.shows("<form id=\"verify\"") && !spent.shows("/signup/resend") && spent.shows("Start over</a>"))
            #expect(try await guesser.post("/signup/resend", [:]).location == "/signup/verify")
        }
    }

    @Test func `send again mails a new code, and only the new one works`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let old = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await visitor.post("/signup/resend", [:]).leads(to: "/signup/verify", saying: .codeSentAgain))
            let new = try await house.mailbox.code(for: "ada@example.com")
            if old != new { #expect(try await visitor.type(code: old).status == .unprocessableContent) }
            #expect(try await visitor.type(code: new).location == "/account")
        }
    }

    @Test(arguments: [false, true])
    func `who begins again before the first mail got out gets one mail, whose code works`(isTaken: Bool) async throws {
        try await withHouse { house in
            if isTaken { _ = try await house.member("ada@example.com") }
            let before = await house.mailbox.count(to: "ada@example.com")
            await house.mailbox.fail(.deferred("busy"))
            let visitor = house.visitor()
            for _ in 0..<2 { #expect(try await visitor.signUp(email: "ada@example.com").status == .seeOther) }
            try await house.endMailOutage()
            let done = try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            #expect(isTaken ? done.shows("Try signing in instead.") : done.location == "/account")
            #expect(try await house.waitingMails() == 0)
            #expect(await house.mailbox.count(to: "ada@example.com") == before + 1)
        }
    }

    @Test func `a code that is sent again at the end of the hour works as long as it says`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            _ = try await house.mailbox.code(for: "ada@example.com")
            house.clock.advance(by: .seconds(3_590))
            try await visitor.post("/signup/resend", [:])
            let code = try await house.mailbox.code(for: "ada@example.com")
            house.clock.advance(by: .seconds(590))
            #expect(try await visitor.type(code: code).location == "/account")
        }
    }

    @Test(arguments: [("0", ""), ("\u{660}", "\u{200E}"), ("\u{6F0}", "\u{2069}"), ("\u{FF10}", "\u{FEFF}")])
    func `a code may be typed with spaces and dashes, and in the digits of another script`(
        zero: Unicode.Scalar, mark: String
    ) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com").utf8
                .compactMap { Unicode.Scalar(zero.value + UInt32($0 - UInt8(ascii: "0"))).map(String.init) }
            let typed = mark + " \(code.prefix(3).joined()) - \(code.suffix(3).joined()) "
            #expect(try await visitor.type(code: typed).location == "/account")
        }
    }

    @Test(arguments: ["½23456", "一二三四五六", "12345\u{301}6", "abcdef"])
    func `characters other than decimal digits make no code`(typed: String) {
        #expect(Code(typed: typed) == nil)
    }

    @Test func `what is typed and is no code counts against no limit`() async throws {
        try await withHouse([.limitVerify: "2/h/flow"]) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            for _ in 1...3 { #expect(try await visitor.type(code: "12ab").status == .unprocessableContent) }
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await visitor.type(code: code).location == "/account")
        }
    }

    @Test func `a refused form comes back filled, without the password, and names every problem`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().post(
                "/signup",
                [
                    "display_name": "<b>Ada</b>", "email": "ada@example", "password": "short",
                    "password_confirmation": "x",
                ]
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.title?.hasPrefix("Error: ") == true)
            #expect(page.shows("&lt;b&gt;Ada&lt;/b&gt;") && page.shows("value=\"ada@example\""))
            #expect(!page.shows("value=\"short\""))
            #expect(page.shows("Enter an email address like name@example.com."))
            #expect(page.shows("Use at least 8 characters."))
            #expect(page.shows("href=\"#signup-email\"") && page.shows("href=\"#new-password\""))
            #expect(page.shows("href=\"#signup-terms\""))
        }
    }

    @Test(arguments: [
        "password1234", "qwertyuiop", "lovelace1815", "aaaaaaaaaaaa", "Vestibule1", "q1w2e3r4t5y6", "1QAZ2wsx3edc",
        "Realmadrid", "QAZXSWEDC",
    ])
    func `a password that can be guessed is refused with the reason`(password: String) async throws {
        try await withHouse { house in
            let page = try await house.visitor().signUp(email: "lovelace@example.com", password: password)
            #expect(page.status == .unprocessableContent)
            #expect(page.shows("id=\"new-password-error\""))
        }
    }

    @Test func `the meter agrees with the policy`() async throws {
        try await withHouse { house in
            let bad = try await house.visitor().post("/signup/strength", ["password": "password1234"])
            #expect(bad.status == .ok && bad.shows("\"acceptable\":false") && bad.shows("\"hint\":"))
            let good = try await house.visitor().post("/signup/strength", ["password": Browser.goodPassword])
            #expect(good.shows("\"acceptable\":true"))
        }
    }

    @Test func `with verification off the account is made at once`() async throws {
        try await withHouse([.verification: "off"]) { house in
            #expect(try await !house.visitor().get("/signup").shows("email you a code."))
            let visitor = house.visitor()
            #expect(try await visitor.signUp(email: "ada@example.com").location == "/account")
            #expect(try await visitor.isSignedIn())
            let taken = try await house.visitor().signUp(email: "ada@example.com")
            #expect(taken.shows("An account with this email already exists. Try signing in instead."))
        }
    }

    @Test func `closed sign-up is hidden and refused`() async throws {
        try await withHouse([.signup: "closed"]) { house in
            let visitor = house.visitor()
            let (welcome, form) = (try await visitor.get("/"), try await visitor.get("/signup"))
            #expect(!welcome.shows("/signup") && welcome.shows("Sign in to continue.</p>"))
            for page in [form, try await visitor.signUp(email: "ada@example.com")] {
                #expect(page.status == .forbidden && page.shows("<a href=\"/login\">"))
                #expect(page.heading == "Sign-up is closed" && page.shows("<title>Sign-up is closed"))
                #expect(page.shows("<a href=\"?lang=de\"") && !page.shows("form=\"signup\""))
            }
        }
    }

    @Test func `a sign-up that waited for its code makes no account once the site is closed`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { earlier in
            let visitor = earlier.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await earlier.mailbox.code(for: "ada@example.com")
            try await withHouse([.signup: "closed"], store: store) { house in
                let later = house.visitor()
                await later.steal("vestibule-flow", from: visitor)
                let page = try await later.type(code: code)
                #expect(page.location == "/signup/verify")
                #expect(try await later.get("/signup/verify").location == "/signup")
                #expect(try await house.visitor().logIn(email: "ada@example.com").status == .unprocessableContent)
            }
        }
    }

    @Test func `where the visitor wanted to go survives sign-up`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            var fields = Browser.signupFields(email: "ada@example.com")
            fields["return_to"] = "/terms"
            try await visitor.post("/signup", fields)
            let done = try await visitor.type(code: house.mailbox.code(for: "ada@example.com"))
            #expect(done.location == "/terms")
        }
    }

    private func codeIn(_ text: String) throws -> String {
        try #require(text.firstMatch(of: /\b\d{6}\b/).map { String($0.output) })
    }
}

extension House {
    /// Types a code in a browser that has that flow; whether it signed in.
    func redeem(code: String, flow: String) async throws -> Bool {
        let tab = visitor()
        await tab.set("vestibule-flow", flow)
        return try await tab.type(code: code).location == "/account"
    }
}
