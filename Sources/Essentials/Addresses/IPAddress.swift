import Foundation
import NIOCore

/// An IPv4 or IPv6 address; an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) counts as IPv4.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes, network order.
    let bytes: [UInt8]

    package init?(_ text: some StringProtocol) {
        var v4 = [UInt8](repeating: 0, count: 4)
        var v6 = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        // C would stop reading at a NUL, and take what stands before it for all.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = v4
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let isMapped = v6.prefix(10).allSatisfy { $0 == 0 } && v6[10] == 0xff && v6[11] == 0xff
            bytes = isMapped ? Array(v6.suffix(4)) : v6
        } else {
            return nil
        }
    }

    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// What limits count by: the address, or its /64 for IPv6, where one person easily has 2^64 of
    /// them.
    var bucket: String {
        bytes.count == 4 ? description : network(64)
    }

    /// The networks that limits count, each with how many times the amount it may use. For IPv6 its
    /// /56 and /48 as well, which one customer often has whole (RFC 6177).
    var networks: [(name: String, share: Int)] {
        bytes.count == 4 ? [(description, 1)] : [(network(64), 1), (network(56), 4), (network(48), 16)]
    }

    /// `bits` is a multiple of eight.
    private func network(_ bits: Int) -> String {
        Self.text(bytes.prefix(bits / 8) + Array(repeating: 0, count: 16 - bits / 8)) + "/\(bits)"
    }

    /// Whether it is this very machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    package var description: String { Self.text(bytes) }

    private static func text(_ bytes: [UInt8]) -> String {
        let packed = ByteBuffer(bytes: bytes)
        return (try? SocketAddress(packedIPAddress: packed, port: 0).ipAddress) ?? "unknown"
    }
}

extension IPAddress? {
    /// As it is stored and listed; empty if unknown.
    package var text: String { self?.description ?? "" }
}

/// A block of addresses in CIDR form (RFC 4632); a bare address is a block of one.
package struct IPRange: Sendable, Equatable {
    let base: IPAddress
    let prefix: Int

    package init?(_ text: String) {
        let parts = text.parts(by: "/")
        guard (1...2).contains(parts.count), let base = IPAddress(parts[0]) else { return nil }
        let width = base.bytes.count * 8
        guard let prefix = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(prefix) else { return nil }
        self.base = base
        self.prefix = prefix
    }

    /// Whether it has all addresses of its family.
    package var isEverything: Bool { prefix == 0 }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        return (0..<prefix).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> (bit % 8)
            return address.bytes[bit / 8] & mask == base.bytes[bit / 8] & mask
        }
    }
}
