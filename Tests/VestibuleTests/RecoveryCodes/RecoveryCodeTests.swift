import Crypto
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

struct RecoveryCodeTests {
    private let key = SecretKey(current: SymmetricKey(size: .bits256))

    @Test func `codes are two groups of five without letters that look like others`() {
        let codes = (0..<500).map { _ in RecoveryCode(from: .system) }
        let shape = /[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}/
        #expect(codes.allSatisfy { $0.text.wholeMatch(of: shape) != nil })
        #expect(Set(codes.map(\.text)).count == 500)
        #expect(Set(codes.flatMap { $0.text.utf8 }).count == 33)
        #expect("\(codes)".contains("•••") && !"\(codes)".contains(codes[0].text))
    }

    @Test(arguments: [
        "abcde-01234", "ABCDE 01234", "abcdeO1234", "abcdeoI234", "a b c d e 0 l 2 3 4", "abcde\u{2013}01234",
    ])
    func `case, separators and look-alikes do not matter`(typed: String) {
        let read = RecoveryCode(typed: typed)
        #expect(read?.text == "abcde-01234")
        #expect(read?.digests(key, accountID: "a") == RecoveryCode(typed: "abcde01234")?.digests(key, accountID: "a"))
    }

    @Test(arguments: ["", "abcde-0123", "abcde-012345", "abcde-0123u", "abcde_01234", "123456"])
    func `anything else cannot be one`(typed: String) {
        #expect(RecoveryCode(typed: typed) == nil)
    }

    @Test func `digests are bound to the account, and the previous key's are known`() throws {
        let code = RecoveryCode(from: .system)
        #expect(code.digests(key, accountID: "a") != code.digests(key, accountID: "b"))
        let (old, new) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let before = try #require(code.digests(SecretKey(current: old), accountID: "a").first)
        let after = code.digests(SecretKey(current: new, previous: old), accountID: "a")
        #expect(after.count == 2 && after.contains(before) && before.count == 32)
    }
}
