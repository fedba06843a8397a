import Foundation

/// A wish to do something once under one limit, keyed so that the store holds no address in clear.
package struct LimitClaim: Sendable, Equatable {
    /// 16 bytes: MAC of action, limit and subject.
    package let key: [UInt8]
    /// Time one use costs, in milliseconds (GCRA's emission interval).
    package let interval: Int64
    /// How far ahead of now the theoretical arrival time may run, in milliseconds (GCRA's burst).
    package let burst: Int64

    package init(key: [UInt8], interval: Int64, burst: Int64) {
        self.key = key
        self.interval = interval
        self.burst = burst
    }
}

/// Who acts: what limits are counted by.
package struct LimitSubject: Sendable {
    package var client: ClientAddress
    package var email: EmailAddress?
    /// The known browser, which is then counted instead of address and address+ip.
    package var device: String?
    package var flow: TokenDigest?

    package init(
        client: ClientAddress, email: EmailAddress? = nil, device: String? = nil, flow: TokenDigest? = nil
    ) {
        self.client = client
        self.email = email
        self.device = device
        self.flow = flow
    }

    /// The text a limit of that key counts by; `nil` when the limit does not apply.
    func text(for key: Limit.Key) -> String? {
        switch key {
        case .ip: client.bucket
        case .address: device == nil ? email?.key : nil
        case .addressAndIP: device == nil ? email.map { "\($0.key) \(client.bucket)" } : nil
        case .device: device.map { "\($0) \(email?.key ?? "")" }
        case .flow: flow.map { Base64URL.encode($0.bytes) }
        case .all: ""
        }
    }
}
