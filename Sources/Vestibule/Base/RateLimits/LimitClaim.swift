import Essentials

/// A wish to do something once under one limit, keyed so that the store holds no address in clear.
package struct LimitClaim: Sendable, Equatable {
    /// 16 bytes: MAC of action, limit and subject.
    package let key: [UInt8]
    /// Time one use costs, in milliseconds (GCRA's emission interval).
    package let interval: Int64
    /// How far ahead of now the theoretical arrival time may run, in milliseconds (GCRA's burst).
    package let burst: Int64
    /// Whether the counter is one for the whole site, which no store drops to make room for others.
    package let countsEverybody: Bool
    /// Action and limit, such as `mail/1000/1h/all`, for the log.
    let name: String
    /// Milliseconds. An arrival time later than now by more than the burst and this was written by
    /// a wrong clock.
    package static let clockTolerance: Int64 = 60_000

    package init(key: [UInt8], interval: Int64, burst: Int64, countsEverybody: Bool = false, name: String = "") {
        self.key = key
        self.interval = interval
        self.burst = burst
        self.countsEverybody = countsEverybody
        self.name = name
    }
}

/// Who acts: what limits are counted by.
struct LimitSubject: Sendable {
    var client: ClientAddress
    var email: EmailAddress?
    /// Of somebody who is signed in: a change of address begins none of its limits anew.
    var account: AccountID?
    /// The known browser, which is then counted instead of address and address+ip.
    var device: String?
    var flow: TokenDigest?

    /// What a limit of that key counts by, and how many times its amount each may use; empty when
    /// it does not apply.
    func counted(by key: Limit.Key, _ action: RateLimits.Action) -> [(text: String, share: Int)] {
        switch key {
        case .ip: client.networks.map { ($0.name, $0.share) }
        case .address: address(action).map { [($0, 1)] } ?? []
        case .addressAndIP:
            address(action).map { address in client.networks.map { ("\(address) \($0.name)", $0.share) } } ?? []
        case .device: device.map { [("\($0) \(email?.key ?? "")", 1)] } ?? []
        case .account: (account?.rawValue ?? email?.key).map { [($0, 1)] } ?? []
        case .flow: flow.map { [(Base64URL.encode($0.bytes), 1)] } ?? []
        case .all: [("", 1)]
        }
    }

    /// Where a mail is sent, one mailbox counts as one; where an account is guarded, each address
    /// by itself.
    private func address(_ action: RateLimits.Action) -> String? {
        guard device == nil else { return nil }
        return switch action.counts {
        case .mailboxes: email?.mailbox
        case .addresses: email?.key
        }
    }
}

extension LimitSubject {
    /// The same visitor without limits of its own.
    var stranger: LimitSubject {
        var stranger = self
        stranger.device = nil
        return stranger
    }

    /// Who is counted, and who once the limits of that one are used up: a person who has a copy of
    /// the cookie or the link must not keep its owner out.
    var choices: [LimitSubject] { device == nil ? [self] : [self, stranger] }

    /// Who came by a link from the mailbox. It has limits of its own, as a known browser has, so
    /// that strangers cannot use up its mails and tries.
    init(link: TokenDigest, to email: EmailAddress, client: ClientAddress, flow: TokenDigest?) {
        self.init(client: client, email: email, device: Base64URL.encode(link.bytes), flow: flow)
    }
}
