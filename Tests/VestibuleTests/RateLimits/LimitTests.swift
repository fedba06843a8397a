import Foundation
import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(3)))
struct LimitTests {
    @Test func `the eleventh wrong password in fifteen minutes has to wait, for any address`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            for email in ["ada@example.com", "nobody@example.com"] {
                for number in 0..<10 {
                    let page = try await house.visitor(at: "192.0.2.\(number)").logIn(email: email, password: "guess")
                    #expect(page.status == .unprocessableContent)
                }
                let page = try await house.visitor(at: "192.0.2.99").logIn(email: email, password: "guess")
                #expect(page.status == .tooManyRequests)
                #expect(page.headers[.retryAfter] == "90")
                #expect(page.shows("Too many attempts. Try again in 2 minutes."))
            }
            house.clock.advance(by: .seconds(91))
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `right passwords do not count as failures`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            for number in 0..<25 {
                let page = try await house.visitor(at: "192.0.2.\(number)").logIn(email: "ada@example.com")
                #expect(page.status == .seeOther)
            }
        }
    }

    @Test func `one network address tries thirty times a minute`() async throws {
        try await withHouse { house in
            for number in 0..<30 {
                try await house.visitor(at: "2001:db8::\(number)").logIn(email: "user\(number)@example.com")
            }
            let page = try await house.visitor(at: "2001:db8::ffff").logIn(email: "new@example.com")
            #expect(page.status == .tooManyRequests)
            #expect(
                try await house.visitor(at: "2001:db8:0:1::1").logIn(email: "new@example.com").status != page.status)
            #expect(house.logs.lines(of: "excess_rate_limit_exceeded").count == 1)
        }
    }

    @Test func `five sign-ups an hour for one address, new or taken`() async throws {
        try await withHouse { house in
            for _ in 0..<5 {
                #expect(try await house.visitor().signUp(email: "ada@example.com").status == .seeOther)
            }
            let page = try await house.visitor().signUp(email: "ada@example.com")
            #expect(page.status == .tooManyRequests && page.shows("value=\"ada@example.com\""))
        }
    }

    @Test func `a new code gives no new attempts`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            for _ in 0..<5 { try await visitor.type(code: "000000") }
            let resent = try await visitor.post("/signup/resend", [:])
            #expect(resent.location == "/signup?notice=flow-expired")
        }
    }

    @Test func `counters survive a restart`() async throws {
        let store = try sharedStore()
        let clock = TestClock()
        try await withHouse(store: store, clock: clock) { house in
            for number in 0..<10 {
                try await house.visitor(at: "192.0.2.\(number)").logIn(email: "ada@example.com")
            }
        }
        try await withHouse(store: store, clock: clock) { house in
            let page = try await house.visitor().logIn(email: "ada@example.com")
            #expect(page.status == .tooManyRequests)
        }
    }

    @Test(arguments: [
        ("10/15m/address", 10, 900, Limit.Key.address), ("30/m/ip", 30, 60, .ip),
        ("3/h/address+ip", 3, 3600, .addressAndIP),
        ("1000/h/all", 1000, 3600, .all), ("50/d/ip", 50, 86_400, .ip), ("1/1s/flow", 1, 1, .flow),
    ])
    func `a limit reads as it is written`(text: String, amount: Int, seconds: Int, key: Limit.Key) throws {
        let limit = try #require(Limit(text))
        #expect(limit.amount == amount && limit.period == .seconds(seconds) && limit.key == key)
    }

    @Test(arguments: ["", "10", "10/m", "0/m/ip", "x/m/ip", "10/x/ip", "10/m/who", "10/0m/ip", "-1/m/ip", "10/m/ip/x"])
    func `anything else is refused`(text: String) {
        #expect(Limit(text) == nil)
    }
}
