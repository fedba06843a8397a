import Bytes
import Testing

@testable import Essentials

@Suite("E-mail address")
struct EmailAddressTests {
    @Test func `an address is trimmed, shown as typed and compared without case`() throws {
        let address = try #require(EmailAddress("  Ada.Lovelace@Example.COM\r\n"))
        #expect(address.typed == "Ada.Lovelace@Example.COM")
        #expect(address.key == "ada.lovelace@example.com")
        #expect(address.ascii == "Ada.Lovelace@example.com")
        #expect(address == EmailAddress("ada.lovelace@example.com"))
        #expect(Set([address, EmailAddress("ADA.LOVELACE@example.com")]).count == 1)
    }

    @Test(arguments: [
        ("ada@ü.example", "ada@xn--tda.example"), ("ada@u\u{308}.example", "ada@xn--tda.example"),
        ("ada@Ü.Example", "ada@xn--tda.example"), ("ada@faß.de", "ada@xn--fa-hia.de"),
        ("ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"), ("ada@例え。jp", "ada@xn--r8jz45g.jp"),
        ("cafe\u{301}@example.com", "caf\u{e9}@example.com"), ("Ünal@example.com", "ünal@example.com"),
        ("a+b/c=d!#$%&'*?^_`{|}~-@example.com", "a+b/c=d!#$%&'*?^_`{|}~-@example.com"),
        ("a@sub.1.example", "a@sub.1.example"), ("50%off@example.com", "50%off@example.com"),
        ("a%4@example.com", "a%4@example.com"), ("a=b?=@example.com", "a=b?=@example.com"),
    ])
    func `one mailbox has one key`(typed: String, key: String) {
        #expect(EmailAddress(typed)?.key == key)
    }

    @Test(arguments: [
        "\u{202A}ada@example.com\u{202C}", "\u{200E}ada@example.com\u{200F}", "\u{61C} ada@example.com \u{61C}",
        " \u{2066}ada@example.com\u{2069}\r\n", "\u{2068}\u{200F}ada@example.com\u{200F}\u{2069}",
        "\u{FEFF}ada@example.com", "\u{200B}ada@example.com\u{200B}", "\u{A0}ada@example.com\u{2060}\u{AD}",
    ])
    func `marks that came along around an address are dropped`(typed: String) throws {
        let address = try #require(EmailAddress(typed))
        #expect([address.typed, address.key, address.ascii].allSatisfy { $0.isExactly("ada@example.com") })
    }

    @Test(arguments: [
        "", " ", "ada", "@", "ada@", "@example.com", "a@b@example.com", "ada@@example.com",
        "ada＠example.com", "ada﹫example.com", "a＠b@example.com", "ada@ex＠ample.com", "a\u{E0040}b@example.com",
        ".ada@example.com", "ada.@example.com", "a..b@example.com", "\"a b\"@example.com", "a b@example.com",
        "a,b@example.com", "a(b)@example.com", "<a@example.com>", "a\\b@example.com", "a:b@example.com",
        "a\u{0}b@example.com", "a@exam\u{0}ple.com", "a\r\nBcc: b@example.com", "a\u{7f}b@example.com",
        "a\u{200b}b@example.com", "a\u{202e}b@example.com", "a\u{a0}b@example.com", "a\u{3164}b@example.com",
        "a\u{600}@example.com", "\u{110BD}a@example.com", "a\u{D4E}@example.com", "a\u{E0041}@example.com",
        "=?utf-8?q?x?=@example.com", "a=?UTF-8?B?eA==?=b@example.com", "=?x@example.com", "a%0d%0ab@example.com",
        "a%0D%0Ab@example.com", "%41@example.com", "a%%41@example.com", "ü%C3@example.com",
        "\u{200F}", "ada\u{200E}@example.com", "ada@\u{2066}example.com\u{2069}", "ada@example.com\u{600}",
        "a\u{200D}@example.com", "a\"\u{301}@example.com", "a@exam\u{AD}ple.com", "a@example\u{FE0F}.com",
    ])
    func `text that is not an address is refused`(typed: String) {
        #expect(EmailAddress(typed) == nil)
    }

    @Test(arguments: [
        "example", "127.0.0.1", "[127.0.0.1]", "[IPv6:::1]", "-a.com", "a-.com", "a_b.com", "a..com", ".com", "a.com.",
        "xn--zzzzzz.example", "☃.net", "a b.com", "a\u{200d}b.com", "\u{301}a.com", "example.123",
    ])
    func `text that is not a mail domain is refused`(domain: String) {
        #expect(EmailAddress("ada@" + domain) == nil)
    }

    @Test func `parts and the whole have their longest`() {
        let label = String(repeating: "a", count: 63)
        let local = String(repeating: "l", count: 64)
        #expect(EmailAddress("\(local)@\(label).com") != nil)
        #expect(EmailAddress("\(local)l@example.com") == nil)
        #expect(EmailAddress("a@\(label)a.com") == nil)
        let domain = "\(label).\(label).\(String(repeating: "a", count: 57)).com"
        #expect(EmailAddress("\(local)@\(domain)")?.key.utf8.count == 254)
        #expect(EmailAddress("\(local)@\(domain)m") == nil)
    }

    @Test(arguments: ["a", "@", ".", " ", "ü", "\u{301}", "\u{FDFA}", "a@", "ü.", "\0"])
    func `a hundred thousand of anything are refused`(part: String) {
        let flood = String(repeating: part, count: 100_000)
        for typed in [flood, flood + "@example.com", "a@" + flood + ".com"] { #expect(EmailAddress(typed) == nil) }
    }

    @Test(arguments: ["@example.com", "@", ""])
    func `a stored address that was changed by hand prints nothing`(text: String) {
        #expect("\(EmailAddress(stored: text, key: text))".isExactly("•••"))
    }

    @Test func `an address prints masked`() throws {
        let address = try #require(EmailAddress("ada@ü.example"))
        var dumped = ""
        dump(address, to: &dumped)
        for shown in ["\(address)", String(reflecting: address), address.masked] {
            #expect(shown == "a•••@xn--tda.example")
        }
        #expect(!dumped.contains("ada"))
        #expect(try #require(EmailAddress("🪜x@example.com")).masked == "🪜•••@example.com")
    }
}
