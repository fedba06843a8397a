import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Password")
struct PasswordTests {
    @Test func `a password keeps its trailing space`() {
        #expect(!Password("lantern ").matches(Password("lantern")))
        #expect(Password(" lantern ").byteCount == 9)
    }

    @Test func `a composed and a decomposed letter are the same password`() {
        #expect(Password("caf\u{e9}").matches(Password("cafe\u{301}")))
        #expect(Password("cafe\u{301}").codePoints == 4)
    }

    @Test func `compatibility letters stay different`() {
        #expect(!Password("ﬁ").matches(Password("fi")))
    }

    @Test func `length is counted in code points`() {
        #expect(Password("🪜🔑🐎").codePoints == 3)
        #expect(Password("🪜🔑🐎").byteCount == 12)
        #expect(Password("👩‍👧").codePoints == 3)
    }

    @Test func `a password cannot be printed`() {
        let password = Password("correct horse")
        var dumped = ""
        dump([password], to: &dumped)
        for shown in ["\(password)", String(reflecting: password), "\(Optional(password) as Any)", dumped] {
            #expect(!shown.contains("horse"))
            #expect(shown.contains("•••"))
        }
        #expect(Mirror(reflecting: password).children.isEmpty)
    }

    @Test func `a password may hold any byte, NUL included`() {
        let bytes = Password("a\0b").withUnsafeBytes { Array($0) }
        #expect(bytes == [97, 0, 98])
    }
}
