/// What the Internet's registries set aside (IANA special-purpose addresses, RFC 6890).
extension IPAddress {
    /// Whether it may be a machine of the Internet, and not this one, a neighbour or nobody.
    /// An IPv6 address that holds an IPv4 one (6to4, NAT64, Teredo) may not.
    package var isPublic: Bool {
        (bytes.count == 4 || Self.global.contains { $0.contains(self) }) && !Self.special.contains { $0.contains(self) }
    }

    private static let global = ["2000::/3"].compactMap { IPRange($0) }

    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { IPRange($0) }
}
