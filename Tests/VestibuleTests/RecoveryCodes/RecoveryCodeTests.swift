import Crypto
import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

struct RecoveryCodeTests {
    private let key = RecoveryKey(from: .system)

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
        let digests = [read, RecoveryCode(typed: "abcde01234")].map { $0.map { key.digest($0, of: "a") } }
        #expect(digests[0] != nil && digests[0] == digests[1])
    }

    @Test(arguments: ["", "abcd-012", "abcdefgh-01234567-abcdefghi", "abcde_01234", "123456"])
    func `anything else cannot be one`(typed: String) {
        #expect(RecoveryCode(typed: typed) == nil)
    }

    @Test func `digests are bound to the account and its key, which rests sealed for it`() throws {
        let code = RecoveryCode(from: .system)
        #expect(key.digest(code, of: "a") != key.digest(code, of: "b"))
        #expect(key.digest(code, of: "a") != RecoveryKey(from: .system).digest(code, of: "a"))
        let secret = SecretKey(current: SymmetricKey(size: .bits256))
        let codes = try RecoveryKey.set(of: [code], from: .system, secret, for: "a")
        let kept = FactorKey(.recoveryCode, sealed: codes.sealedKey, counter: 1, createdAt: Date())
        #expect(try RecoveryKey(kept, secret, of: "a").digest(code, of: "a") == codes.digests[0])
        #expect(throws: (any Error).self) { try RecoveryKey(kept, secret, of: "b") }
    }
}
