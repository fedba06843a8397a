import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving

struct ClientAddressFinderTests {
    private let trusting = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].compactMap(IPRange.init)

    @Test(arguments: [
        ("192.0.2.1", ["X-Forwarded-For: 1.2.3.4"], "192.0.2.1"),
        ("127.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.0.0.2"], "1.2.3.4"),
        ("127.0.0.1", ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["Forwarded: for=6.6.6.6, for=\"[2001:db8::1]:4711\";proto=https"], "2001:db8::1"),
        ("127.0.0.1", ["Forwarded: For=192.0.2.43:8080"], "192.0.2.43"),
        ("127.0.0.1", ["Forwarded: for=6.6.6.6", "X-Forwarded-For: 1.2.3.4"], "unknown"),
        ("127.0.0.1", ["Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["X-Forwarded-For: 1.2.3.4, nonsense"], "unknown"),
        ("127.0.0.1", ["X-Forwarded-For: 10.1.1.1"], "10.1.1.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("::ffff:127.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
    ])
    func `the rightmost hop that is no proxy of ours is the client`(peer: String, lines: [String], client: String)
        throws
    {
        var headers = HTTPFields()
        for line in lines {
            let parts = line.split(separator: ": ", maxSplits: 1)
            headers.append(HTTPField(name: try #require(HTTPField.Name(String(parts[0]))), value: String(parts[1])))
        }
        let found = ClientAddressFinder(trusted: trusting).client(
            peer: .known(try #require(IPAddress(peer))), headers: headers
        )
        #expect(found.description == client)
    }

    @Test(arguments: [
        ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=unknown"],
        ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=_hidden"], ["X-Forwarded-For: 127.0.0.1", "Forwarded: x"],
        ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=127.0.0.1"], ["Forwarded: for=unknown"],
        ["X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: unknown"], ["Forwarded: for=127.0.0.1, for=\"_gazonk\""],
        ["X-Forwarded-For: 203.0.113.9, unknown, 10.0.0.3"], ["X-Forwarded-For:  "], ["X-Forwarded-Proto: https"],
        ["X-Real-IP: 203.0.113.9"], ["Via: 1.1 proxy"], ["CF-Connecting-IP: 203.0.113.9"],
    ])
    func `where proxies disagree or tell no client, it is unknown and never near`(lines: [String]) throws {
        try `the rightmost hop that is no proxy of ours is the client`(
            peer: "127.0.0.1", lines: lines, client: "unknown")
        #expect(!ClientAddress.unknown.isThisMachine && ClientAddress.unknown.ipAddress == nil)
    }

    @Test func `a peer without an address is trusted by nobody`() throws {
        let finder = ClientAddressFinder(trusted: ["0.0.0.0/0", "::/0"].compactMap(IPRange.init))
        #expect(!finder.isTrusted(ClientAddress(peerAt: nil)))
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        #expect(finder.client(peer: .unknown, headers: [name: "127.0.0.1"]) == .unknown)
    }

    @Test func `all unknown clients are one to limits`() {
        #expect(ClientAddress.unknown.networks.map(\.name) == ["unknown"] && ClientAddress.unknown.bucket == "unknown")
    }

    /// What a visitor sent stands left, what the proxy added right: a letter that joins the next, a
    /// mark, an open quote or an escape must not make the first pass for the second.
    @Test(arguments: [
        (["X-Forwarded-For: 6.6.6.6:\u{D4E}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 6.6.6.6\u{600}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: [2001:db8::1]\u{D4E}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 6.6.6.6,\u{301} 203.0.113.7"], "unknown"),
        (["X-Forwarded-For: 6.6.6.6, 203.0.113.7\u{301}"], "unknown"),
        (["X-Forwarded-For: 203.0.113.7:x"], "unknown"),
        (["X-Forwarded-For: 203.0.113.7:"], "unknown"),
        (["X-Forwarded-For: 203.0.113.7:65536"], "unknown"),
        (["X-Forwarded-For: 203.0.113.7:65535"], "203.0.113.7"),
        (["X-Forwarded-For: [2001:db8::1]x"], "unknown"),
        (["X-Forwarded-For: [2001:db8::1]:4711"], "2001:db8::1"),
        (["X-Forwarded-For: [2001:db8::1"], "unknown"),
        (["X-Forwarded-For: [203.0.113.7]"], "unknown"),
        (["X-Forwarded-For: 2001:db8::1"], "2001:db8::1"),
        (["X-Forwarded-For: 203.0.113.7, "], "unknown"),
        (["Forwarded: for=6.6.6.6;x=\u{D4E}, for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=6.6.6.6;x=\"\u{D4E}\", for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=\"6.6.6.6, for=203.0.113.7"], "unknown"),
        (["Forwarded: for=\"6.6.6.6, for=\"[2001:db8::1]:4711\""], "unknown"),
        (["Forwarded: for=\"6.6.6.6", "Forwarded: for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a,for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a;for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a\\\",for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;for=6.6.6.6"], "unknown"),
        (["Forwarded: for=\"203.0.113\\.7\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7 x"], "unknown"),
        (["Forwarded: x;for=203.0.113.7"], "unknown"),
        (["Forwarded: f\u{D4E}or=6.6.6.6"], "unknown"),
        (["Forwarded: for=unknown, for=203.0.113.7; proto=https"], "203.0.113.7"),
        (["Forwarded: proto=https"], "unknown"),
    ])
    func `a hop is an address and a port, nothing else`(lines: [String], client: String) throws {
        try `the rightmost hop that is no proxy of ours is the client`(peer: "127.0.0.1", lines: lines, client: client)
    }

    @Test func `an address ends where its text does`() {
        #expect(IPAddress("6.6.6.6\0, 203.0.113.7") == nil)
    }

    @Test func `IPv6 counts by its first 64 bits`() throws {
        let one = try #require(IPAddress("2001:db8:1:2:3::4"))
        let two = try #require(IPAddress("2001:db8:1:2:ffff::9"))
        let three = try #require(IPAddress("2001:db8:1:3::"))
        #expect(one.bucket == two.bucket && one.bucket != three.bucket)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0/8", "x", "::1/129", "1.2.3.4/", ""])
    func `a malformed range is refused`(text: String) {
        #expect(IPRange(text) == nil)
    }
}
