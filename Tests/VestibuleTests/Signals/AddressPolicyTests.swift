import Testing

@testable import Essentials
@testable import Vestibule

struct AddressPolicyTests {
    private func allows(_ address: String, url: String = "https://portal.example.com/") throws -> Bool {
        AddressPolicy.publicOr(try #require(Origin(ofURL: url))).allows(try #require(IPAddress(address)))
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fd00::1", "fc00::1", "ff02::1", "2002:7f00:1::",
        "2001:0:53aa:64c::", "2001:db8::1", "64:ff9b::7f00:1", "100::1", "3fff::1",
    ])
    func `a name leads to no address that is set aside`(address: String) throws {
        #expect(try !allows(address))
    }

    @Test(arguments: ["8.8.8.8", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1", "2a00:1450::1"])
    func `a name leads to addresses of the Internet`(address: String) throws {
        #expect(try allows(address))
    }

    @Test func `an address that is set aside is reached when the setting names it, and no other one`() throws {
        #expect(try allows("192.168.1.4", url: "https://192.168.1.4/"))
        #expect(try !allows("192.168.1.5", url: "https://192.168.1.4/"))
        #expect(try allows("fd00::1", url: "https://[fd00::1]:8443/x"))
        #expect(try allows("127.0.0.1", url: "http://localhost:9000/") && allows("::1", url: "http://localhost:9000/"))
        #expect(try !allows("10.0.0.1", url: "http://localhost:9000/"))
        #expect(try allows("127.0.0.1", url: "http://127.0.0.1/") && !allows("::1", url: "http://127.0.0.1/"))
        #expect(try !allows("127.0.0.1", url: "https://localhost.example.com/"))
    }
}
