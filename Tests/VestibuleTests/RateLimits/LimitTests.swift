import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
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

    @Test(arguments: [("1/h/ip", "3600", "1 hour"), ("1/2h/ip", "7200", "2 hours"), ("1/m/ip", "60", "1 minute")])
    func `the page and Retry-After say how long to wait`(limit: String, seconds: String, words: String) async throws {
        try await withHouse([.limitLogin: limit]) { house in
            _ = try await house.visitor().logIn(email: "ada@example.com", password: "guess")
            let page = try await house.visitor().logIn(email: "ada@example.com", password: "guess")
            #expect(page.status == .tooManyRequests && page.headers[.retryAfter] == seconds)
            #expect(page.shows("Too many attempts. Try again in \(words)."))
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

    @Test func `the log says which limit is used up, to the first who meets it and to those after`() async throws {
        try await withHouse([.limitMail: "5/h/address, 1/h/all"]) { house in
            for number in 1...3 {
                try await house.visitor(at: "192.0.2.\(number)").signUp(email: "user\(number)@example.com")
            }
            let lines = house.logs.lines(of: "excess_rate_limit_exceeded")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("limit=mail/1/1h/all") }, "\(lines)")
        }
    }

    @Test func `clients that proxies name in no readable way are one stranger, and not the proxy`() async throws {
        try await withHouse([.limitLogin: "2/m/ip"]) { house in
            var statuses: [HTTPResponse.Status] = []
            for address in ["unknown", "_hidden", "203.0.113.9, unknown", "127.0.0.1"] {
                statuses.append(try await house.visitor(at: address).logIn(email: "new@example.com").status)
            }
            #expect(
                statuses == [.unprocessableContent, .unprocessableContent, .tooManyRequests, .unprocessableContent])
            let lines = house.logs.lines(of: "client_unknown")
            #expect(lines.count == 3 && lines.allSatisfy { $0.contains("source_ip=127.0.0.1") })
            #expect(lines.last?.contains("told=x-forwarded-for: 203.0.113.9, unknown") == true)
            #expect(house.logs.lines(of: "excess_rate_limit_exceeded").first?.contains("source_ip=unknown") == true)
        }
    }

    @Test func `a customer's whole IPv6 network counts, by its 64, 56 and 48 bits`() async throws {
        try await withHouse([.limitLogin: "2/m/ip"]) { house in
            func granted(_ networks: [String]) async throws -> Int {
                var count = 0
                for network in networks {
                    for host in 1...3 {
                        let visitor = house.visitor(at: "2001:db8:\(network)::\(host)")
                        if try await visitor.logIn(email: "a@b.example").status != .tooManyRequests { count += 1 }
                    }
                }
                return count
            }
            let network64 = try await granted(["1:0"])
            // The other three /64 that a /56 may use, and no more of it.
            let network56 = try await granted((1...9).map { "1:\($0)" })
            // Three more /56; then the /48 is used up.
            let network48 = try await granted((1...5).flatMap { byte in (0..<4).map { "1:\(byte)0\($0)" } })
            let elsewhere = try await granted(["2:0"])
            #expect(network64 == 2)
            #expect(network56 == 6)
            #expect(network48 == 24)
            #expect(elsewhere == 2)
        }
    }

    @Test func `a limit that is named twice is counted once`() async throws {
        try await withHouse([.limitLogin: "4/h/address, 4/60m/address"]) { house in
            for _ in 1...4 {
                let page = try await house.visitor().logIn(email: "ada@example.com")
                #expect(page.status == .unprocessableContent)
            }
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .tooManyRequests)
        }
    }

    @Test func `the strength meter counts a whole IPv6 network as well`() async throws {
        try await withHouse { house in
            var granted = 0
            for number in 0..<600 {
                let page = try await house.visitor(at: "2001:db8:0:\(number % 8)::1")
                    .post("/signup/strength", ["password": "x"])
                if page.status == .ok { granted += 1 }
            }
            #expect(granted == 480)
        }
    }

    @Test func `codes are tried thirty times an hour from one network address`() async throws {
        try await withHouse([.limitSignup: "off", .limitMail: "off"]) { house in
            for number in 0..<6 {
                let visitor = house.visitor()
                try await visitor.signUp(email: "user\(number)@example.com")
                for _ in 0..<5 {
                    #expect(try await visitor.type(code: "000000").status == .unprocessableContent)
                }
            }
            let visitor = house.visitor()
            try await visitor.signUp(email: "late@example.com")
            let page = try await visitor.type(code: "000000")
            #expect(page.status == .tooManyRequests && page.headers[.retryAfter] == "120")
        }
    }

    @Test func `one mailbox gets five mails an hour, whatever its tags and letters`() async throws {
        try await withHouse { house in
            let spellings = ["ada@example.com", "ADA@Example.com", "ada+a@example.com", "Ada+b+c@example.com"]
            for email in spellings {
                #expect(try await house.visitor(at: "192.0.2.7").signUp(email: email).status == .seeOther)
            }
            let reset = try await house.visitor(at: "192.0.2.8").post("/reset", ["email": "ada+d@example.com"])
            #expect(reset.status == .seeOther)
            for email in spellings + ["ada+e@example.com"] {
                let page = try await house.visitor(at: "192.0.2.9").post("/reset", ["email": email])
                #expect(page.status == .tooManyRequests, "\(email)")
            }
            #expect(try await house.visitor().signUp(email: "a.da@example.com").status == .seeOther)
            #expect(try await house.visitor().signUp(email: "+ada@example.com").status == .seeOther)
        }
    }

    @Test func `addresses with different tags are different accounts, guarded each by itself`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            _ = try await house.member("ada+shop@example.com")
            for number in 0..<11 {
                try await house.visitor(at: "192.0.2.\(number)").logIn(email: "ada@example.com", password: "guess")
            }
            #expect(try await house.visitor().logIn(email: "ada+shop@example.com").status == .seeOther)
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
        try await withHouse([.limitVerify: "off"]) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            _ = try await house.mailbox.code(for: "ada@example.com")
            for _ in 0..<3 { try await visitor.type(code: "000000") }
            let resent = try await visitor.post("/signup/resend", [:])
            #expect(resent.location == "/signup/verify")
            let code = try await house.mailbox.code(for: "ada@example.com")
            for _ in 0..<2 { try await visitor.type(code: "000000") }
            #expect(try await visitor.type(code: code).shows("Too many wrong codes"))
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `what is counted in memory is forgotten rather than kept for 50,000 clients`() throws {
        let limit = MemoryLimit(amount: 1, period: .seconds(86_400))
        let now = Date()
        func isAdmitted(_ number: Int) -> Bool {
            do {
                let address = try #require(IPAddress("10.0.\(number >> 8).\(number & 255)"))
                try limit.take(.known(address), now: now)
                return true
            } catch {
                return false
            }
        }
        #expect(isAdmitted(0) && !isAdmitted(0))
        for number in 1..<49_999 { _ = isAdmitted(number) }
        #expect(!isAdmitted(0))
        #expect(isAdmitted(49_999))
        #expect(isAdmitted(0))
    }

    /// Grants nothing, and counts how often it is asked.
    private final class UsedUpStore: RateLimitStore {
        let asked = Atomic(0)

        func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal? {
            asked.add(1, ordering: .relaxed)
            return LimitRefusal(key: claims[0].key, until: now + 60)
        }

        func refusedUntil(_ claims: [LimitClaim], now: Date) async throws -> Date? { now + 60 }
        func giveBack(_ claims: [LimitClaim]) async throws {}
    }

    @Test func `of counters that are used up 10,000 are remembered, and no more`() async throws {
        let (store, now) = (UsedUpStore(), Date())
        let limits = RateLimits(store: store, key: House.key, limits: [:])
        func isAsked(_ number: Int) async -> Bool {
            let before = store.asked.load(ordering: .relaxed)
            let claim = LimitClaim(key: withUnsafeBytes(of: number, Array.init), interval: 1, burst: 3_600_000)
            try? await limits.take([claim], now: now)
            return store.asked.load(ordering: .relaxed) > before
        }
        for number in 0...10_000 { #expect(await isAsked(number)) }
        #expect(await !isAsked(9999))
        #expect(await isAsked(10_000))
    }

    @Test func `counters survive a restart`() async throws {
        let store = try await sharedStore()
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
