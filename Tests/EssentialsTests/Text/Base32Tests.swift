import Testing

@testable import Essentials

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
