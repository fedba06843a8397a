import Testing

@testable import Bytes

struct Base32Tests {
    /// RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func `bytes are spelled as the RFC says`(text: String, expected: String) {
        #expect(Base32.encode(Array(text.utf8)) == expected)
    }
}

extension Base32Tests {
    @Test(arguments: [
        ("", ""), ("MY", "f"), ("MZXQ====", "fo"), ("mzxw6", "foo"), ("MZ-XW 6YQ", "foob"),
        ("MZXW6YTBOI======", "foobar"),
    ])
    func `it is read in either case, with spaces, dashes and padding`(text: String, bytes: String) {
        #expect(Base32.decode(text) == Array(bytes.utf8))
    }

    @Test(arguments: ["MZXW1", "M=Y", "MZXW0", "\u{00C4}", "MY/"])
    func `anything else is none`(text: String) {
        #expect(Base32.decode(text) == nil)
    }
}
