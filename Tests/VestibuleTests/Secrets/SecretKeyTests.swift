import Crypto
import Testing

@testable import Essentials
@testable import Vestibule

struct SecretKeyTests {
    private let old = SymmetricKey(size: .bits256)
    private let new = SymmetricKey(size: .bits256)

    @Test func `what was sealed opens, and a changed byte does not`() throws {
        let key = SecretKey(current: new)
        var sealed = try key.seal(Array("secret".utf8), for: .mail(id: "a"))
        #expect(try key.open(sealed, for: .mail(id: "a")) == Array("secret".utf8))
        for index in sealed.indices {
            sealed[index] ^= 1
            #expect(throws: (any Error).self) { try key.open(sealed, for: .mail(id: "a")) }
            sealed[index] ^= 1
        }
    }

    @Test func `the previous key still opens and verifies`() throws {
        let before = SecretKey(current: old)
        let after = SecretKey(current: new, previous: old)
        for use in Self.uses {
            #expect(try after.open(before.seal([1, 2, 3], for: use), for: use) == [1, 2, 3])
            #expect(throws: (any Error).self) {
                try SecretKey(current: new).open(before.seal([1], for: use), for: use)
            }
        }
        #expect(after.verifies(before.mac(.csrf, [1]), .csrf, [1]))
        #expect(!SecretKey(current: new).verifies(before.mac(.csrf, [1]), .csrf, [1]))
    }

    private static let uses: [SealedUse] = [
        .mail(id: "a"), .mail(id: "b"), .cookie(name: "a"), .cookie(name: "b"), .link(name: "a"),
        .grant(issuer: "a", subject: "b"),
        .grant(issuer: "a", subject: "c"), .grant(issuer: "b", subject: "b"), .grant(issuer: "", subject: "a"),
        .factorKey(kind: "a", account: "a"), .factorKey(kind: "a", account: "b"),
        .factorKey(kind: "b", account: "a"), .form(name: "a", session: "a"),
        .form(name: "a", session: "b"), .form(name: "b", session: "a"),
    ]

    @Test func `what was sealed for one use opens for no other`() throws {
        let key = SecretKey(current: new)
        for (index, use) in Self.uses.enumerated() {
            let sealed = try key.seal([1, 2, 3], for: use)
            for (other, place) in Self.uses.enumerated() {
                let opened = try? key.open(sealed, for: place)
                #expect(opened == (index == other ? [1, 2, 3] : nil), "\(use) \(place)")
            }
        }
    }

    @Test func `purposes do not share a key, and short macs are refused`() {
        let key = SecretKey(current: new)
        #expect(key.mac(.csrf, [1]) != key.mac(.device, [1]))
        #expect(!key.verifies([], .csrf, [1]))
        #expect(!key.verifies(Array(key.mac(.csrf, [1]).prefix(15)), .csrf, [1]))
    }

    @Test func `codes are six digits and every digit occurs`() {
        let codes = (0..<2000).map { _ in Code(from: .system).digits }
        #expect(codes.allSatisfy { $0.utf8.count == 6 && Code(typed: $0) != nil })
        #expect(Set(codes.joined()).count == 10)
        #expect(Set(codes).count > 1900)
    }

    @Test func `tokens are 256 bits, unlike each other, and not printable`() {
        let tokens = (0..<1000).map { _ in Token(from: .system) }
        #expect(Set(tokens.map(\.text)).count == 1000)
        #expect(tokens.allSatisfy { Token(presented: $0.text)?.digest == $0.digest })
        #expect("\(tokens[0]) \(String(reflecting: tokens[0]))" == "••• •••")
    }
}
