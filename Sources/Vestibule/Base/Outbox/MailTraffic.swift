/// What is on its way, and what may join it: several mails at a time, one of each recipient, and
/// servers that hang never in the way of others. A recipient's domain gets more than one place only
/// after it has answered.
struct MailTraffic: Sendable {
    /// What a transaction told about the recipient's server.
    enum Answer: Sendable {
        /// It took or refused the mail.
        case given
        /// It went silent.
        case missing
        /// It was never asked.
        case notAsked
    }

    private let places: Int
    private var underWay: [String: QueuedMail] = [:]
    private var answering = RecentDomains()
    private var silent = RecentDomains()
    /// The choice that no due mail was found for, until there is news.
    private var exhausted: MailChoice?

    /// `places` is how many mails may be on their way at a time.
    init(places: Int) {
        self.places = max(1, places)
    }

    /// Which mail may be taken next; nil while none may, or none is due.
    var choice: MailChoice? {
        guard underWay.count < places else { return nil }
        let domains = domains
        // Recipients at other domains do not matter, and would make each choice differ from the
        // one before.
        let near = underWay.values.filter { domains.contains($0.domain) }
        let choice = MailChoice(domains: domains, notTo: Set(near.map(\.recipient)))
        return domains == .only([]) || choice == exhausted ? nil : choice
    }

    private var domains: MailChoice.Domains {
        // One place stays free for servers that have answered, however many new names a stranger
        // writes to.
        guard underWay.values.count(where: { !answering.contains($0.domain) }) < mostOfOne else {
            return .only(answering.all.subtracting(full))
        }
        let hanging = underWay.values.count { silent.contains($0.domain) }
        let waiting = hanging >= max(1, places / 2) ? silent.all : []
        return .except(full.union(waiting))
    }

    /// No due mail was found. Looking again costs more with each mail that waits for a domain that
    /// has all its places.
    mutating func foundNothing(for choice: MailChoice) { exhausted = choice }

    /// Mails may have become due.
    mutating func askAgain() { exhausted = nil }

    /// Returns false when the mail is on its way already: its lease ended early because a clock was
    /// set.
    mutating func begin(_ mail: QueuedMail) -> Bool {
        guard underWay[mail.id] == nil else { return false }
        underWay[mail.id] = mail
        return true
    }

    mutating func end(_ mail: QueuedMail, _ answer: Answer) {
        underWay[mail.id] = nil
        switch answer {
        case .given:
            answering.add(mail.domain)
            silent.remove(mail.domain)
        case .missing:
            answering.remove(mail.domain)
            silent.add(mail.domain)
        case .notAsked: break
        }
    }

    /// Places that one domain, or all that have not answered, may have.
    private var mostOfOne: Int { max(1, places - 1) }

    /// Domains with all the places they may have.
    private var full: Set<[UInt8]> {
        let held = Dictionary(grouping: underWay.values, by: \.domain)
        return Set(held.filter { $0.value.count >= (answering.contains($0.key) ? mostOfOne : 1) }.keys)
    }
}

/// Some domains, the latest ones.
private struct RecentDomains: Sendable {
    private static let atMost = 256
    private var latestLast: [[UInt8]] = []

    var all: Set<[UInt8]> { Set(latestLast) }

    func contains(_ domain: [UInt8]) -> Bool {
        latestLast.contains(domain)
    }

    mutating func add(_ domain: [UInt8]) {
        remove(domain)
        latestLast = latestLast.suffix(Self.atMost - 1) + [domain]
    }

    mutating func remove(_ domain: [UInt8]) {
        latestLast.removeAll { $0 == domain }
    }
}

/// Which of the due mails may be taken.
package struct MailChoice: Sendable, Equatable {
    /// By `QueuedMail.domain`.
    package enum Domains: Sendable, Equatable {
        case except(Set<[UInt8]>)
        case only(Set<[UInt8]>)

        func contains(_ domain: [UInt8]) -> Bool {
            switch self {
            case .except(let others): !others.contains(domain)
            case .only(let domains): domains.contains(domain)
            }
        }
    }

    package let domains: Domains
    /// Recipients, by `QueuedMail.recipient`, that get none now.
    package let notTo: Set<[UInt8]>

    package static let any = MailChoice(domains: .except([]), notTo: [])
}
