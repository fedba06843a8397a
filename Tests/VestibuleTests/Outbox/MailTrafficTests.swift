import Foundation
import Testing

@testable import Vestibule

struct MailTrafficTests {
    private var traffic = MailTraffic(places: 4)

    private func mail(_ id: String, to domain: UInt8) -> QueuedMail {
        QueuedMail(
            id: id, sealed: [], createdAt: Date(timeIntervalSince1970: 0), attempts: 0, recipient: Array(id.utf8),
            domain: [domain])
    }

    /// Tells of a domain that has answered a mail.
    private mutating func answer(_ domain: UInt8, _ answer: MailTraffic.Answer = .given) {
        let first = mail("first to \(domain)", to: domain)
        _ = traffic.begin(first)
        traffic.end(first, answer)
    }

    @Test mutating func `a domain has one place until it has answered, then all but one`() {
        _ = traffic.begin(mail("a", to: 1))
        #expect(traffic.choice?.domains == .except([[1]]))
        traffic.end(mail("a", to: 1), .given)
        for id in ["a", "b"] { _ = traffic.begin(mail(id, to: 1)) }
        #expect(traffic.choice?.domains == .except([]))
        _ = traffic.begin(mail("c", to: 1))
        #expect(traffic.choice?.domains == .except([[1]]))
        _ = traffic.begin(mail("d", to: 2))
        #expect(traffic.choice == nil)
    }

    @Test mutating func `a recipient gets one mail at a time, so that none overtakes another`() {
        answer(1)
        _ = traffic.begin(mail("a", to: 1))
        #expect(traffic.choice?.notTo == [Array("a".utf8)])
    }

    @Test mutating func `domains that went silent have half of the places between them`() {
        for domain: UInt8 in [1, 2, 3] { answer(domain, .missing) }
        _ = traffic.begin(mail("a", to: 1))
        #expect(traffic.choice?.domains == .except([[1]]))
        _ = traffic.begin(mail("b", to: 2))
        #expect(traffic.choice?.domains == .except([[1], [2], [3]]))
        traffic.end(mail("b", to: 2), .given)
        #expect(traffic.choice?.domains == .except([[1]]))
    }

    @Test mutating func `one place is kept for domains that have answered`() {
        answer(9)
        for domain: UInt8 in [1, 2, 3] { _ = traffic.begin(mail("\(domain)", to: domain)) }
        #expect(traffic.choice?.domains == .only([[9]]))
        traffic.end(mail("3", to: 3), .notAsked)
        #expect(traffic.choice?.domains == .except([[1], [2]]))
    }

    @Test mutating func `a choice that found nothing is not tried again before there is news`() throws {
        answer(1)
        for id in ["a", "b", "c"] { _ = traffic.begin(mail(id, to: 1)) }
        let others = try #require(traffic.choice)
        traffic.foundNothing(for: others)
        #expect(traffic.choice == nil)
        traffic.end(mail("a", to: 1), .given)
        #expect(traffic.choice?.domains == .except([]))
        _ = traffic.begin(mail("d", to: 1))
        #expect(traffic.choice == nil)
        traffic.askAgain()
        #expect(traffic.choice == others)
    }

    @Test mutating func `a mail is not begun twice, and one place is enough`() {
        traffic = MailTraffic(places: 1)
        let begun = [traffic.begin(mail("a", to: 1)), traffic.begin(mail("a", to: 1))]
        #expect(begun == [true, false])
        #expect(traffic.choice == nil)
        traffic.end(mail("a", to: 1), .missing)
        #expect(traffic.choice == .any)
    }
}
