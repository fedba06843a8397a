import Testing

@testable import Mailing

struct MailAddressTests {
    @Test func `a name and an address`() throws {
        let address = try #require(MailAddress("  Vestibule <no-reply@localhost> "))
        #expect(address.name == "Vestibule")
        #expect(address.address == "no-reply@localhost")
        #expect(address.domain == "localhost")
    }

    @Test func `a bare address, in angle brackets or not`() {
        #expect(MailAddress("a@b.example")?.name == nil)
        #expect(MailAddress("a@b.example")?.address == "a@b.example")
        #expect(MailAddress("<a@b.example>")?.address == "a@b.example")
        #expect(MailAddress("<a@b.example>")?.name == nil)
    }

    @Test func `a quoted name`() {
        #expect(MailAddress(#""Doors, \"Inc.\"" <a@b.example>"#)?.name == #"Doors, "Inc.""#)
    }

    @Test(arguments: [
        "", "Vestibule", "Vestibule no-reply@localhost", "<>", "a@", "@b", "a@b@c", "a b@c", "A <a@b", "A a@b>",
        "A <<a@b>", "A\r\nBcc: x@y <a@b>", "a@b\n", "a@b\0", "jürgen@b", "a@-b", "a@b..c", ".a@b", #""A <a@b>"#,
        #"A"B <a@b>"#, "A <a@b> <c@d>", "A\u{600} <a@b>", "A\"\u{301} <a@b>", "A <\u{301}a@b>", "A <a@b\u{301}>",
    ])
    func `what is neither is refused`(text: String) {
        #expect(MailAddress(text) == nil)
    }
}
