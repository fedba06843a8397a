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
        ("127.0.0.1", ["Forwarded: for=6.6.6.6", "X-Forwarded-For: 1.2.3.4"], "127.0.0.1"),
        ("127.0.0.1", ["Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["X-Forwarded-For: 1.2.3.4, nonsense"], "127.0.0.1"),
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
            peer: try #require(IPAddress(peer)), headers: headers
        )
        #expect(found.description == client)
    }

    /// What a visitor sent stands left, what the proxy added right: a letter that joins the next, a
    /// mark, an open quote or an escape must not make the first pass for the second.
    @Test(arguments: [
        (["X-Forwarded-For: 6.6.6.6:\u{D4E}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 6.6.6.6\u{600}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: [2001:db8::1]\u{D4E}, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 6.6.6.6,\u{301} 203.0.113.7"], "127.0.0.1"),
        (["X-Forwarded-For: 6.6.6.6, 203.0.113.7\u{301}"], "127.0.0.1"),
        (["X-Forwarded-For: 203.0.113.7:x"], "127.0.0.1"),
        (["X-Forwarded-For: 203.0.113.7:"], "127.0.0.1"),
        (["X-Forwarded-For: 203.0.113.7:65536"], "127.0.0.1"),
        (["X-Forwarded-For: 203.0.113.7:65535"], "203.0.113.7"),
        (["X-Forwarded-For: [2001:db8::1]x"], "127.0.0.1"),
        (["X-Forwarded-For: [2001:db8::1]:4711"], "2001:db8::1"),
        (["X-Forwarded-For: [2001:db8::1"], "127.0.0.1"),
        (["X-Forwarded-For: [203.0.113.7]"], "127.0.0.1"),
        (["X-Forwarded-For: 2001:db8::1"], "2001:db8::1"),
        (["X-Forwarded-For: 203.0.113.7, "], "127.0.0.1"),
        (["Forwarded: for=6.6.6.6;x=\u{D4E}, for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=6.6.6.6;x=\"\u{D4E}\", for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=\"6.6.6.6, for=203.0.113.7"], "127.0.0.1"),
        (["Forwarded: for=\"6.6.6.6, for=\"[2001:db8::1]:4711\""], "127.0.0.1"),
        (["Forwarded: for=\"6.6.6.6", "Forwarded: for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a,for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a;for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;host=\"a\\\",for=6.6.6.6\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7;for=6.6.6.6"], "127.0.0.1"),
        (["Forwarded: for=\"203.0.113\\.7\""], "203.0.113.7"),
        (["Forwarded: for=203.0.113.7 x"], "127.0.0.1"),
        (["Forwarded: x;for=203.0.113.7"], "127.0.0.1"),
        (["Forwarded: f\u{D4E}or=6.6.6.6"], "127.0.0.1"),
        (["Forwarded: for=unknown, for=203.0.113.7; proto=https"], "203.0.113.7"),
        (["Forwarded: proto=https"], "127.0.0.1"),
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
        #expect(one.shortened == "2001:db8:1::*")
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0/8", "x", "::1/129", "1.2.3.4/", ""])
    func `a malformed range is refused`(text: String) {
        #expect(IPRange(text) == nil)
    }
}
