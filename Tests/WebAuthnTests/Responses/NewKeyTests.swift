import Bytes
import Crypto
import TestSupport
import Testing

@testable import WebAuthn

/// Which keys are taken.
@Suite struct NewKeyTests {
    private let challenge = WebAuthnChallenge.random(.system)

    private static func cose(kind: Int, algorithm: Int, _ members: (Int, [UInt8])...) -> [UInt8] {
        CBOR.head(5, members.count + 2) + [1] + CBOR.integer(kind) + [3] + CBOR.integer(algorithm)
            + members.flatMap { CBOR.integer($0.0) + $0.1 }
    }

    private static let coordinate = CBOR.bytes([UInt8](repeating: 1, count: 32))
    private static let modulus = CBOR.bytes([UInt8](repeating: 0xFF, count: 256))
    private static let exponent = CBOR.bytes([1, 0, 1])

    private static let keys: [(WebAuthnRefusal, [UInt8])] = [
        // A point that is not on the curve; none at all; half of one.
        (.wrongKey, cose(kind: 2, algorithm: -7, (-1, [1]), (-2, coordinate), (-3, coordinate))),
        (.malformed, cose(kind: 2, algorithm: -7, (-1, [1]))),
        (.malformed, cose(kind: 2, algorithm: -7, (-1, [1]), (-2, coordinate))),
        (.wrongKey, cose(kind: 2, algorithm: -7, (-1, [1]), (-2, CBOR.bytes([1])), (-3, CBOR.bytes([1])))),
        // The sign of y instead of y.
        (.malformed, cose(kind: 2, algorithm: -7, (-1, [1]), (-2, coordinate), (-3, [0xF5]))),
        // Another curve; another kind of key.
        (.wrongKey, cose(kind: 2, algorithm: -7, (-1, [2]), (-2, coordinate), (-3, coordinate))),
        (.malformed, cose(kind: 1, algorithm: -7, (-1, [1]), (-2, coordinate), (-3, coordinate))),
        (.unsupportedAlgorithm, cose(kind: 1, algorithm: -8, (-1, [7]), (-2, coordinate))),
        (.malformed, cose(kind: 1, algorithm: -8, (-1, [6]))),
        (.wrongKey, cose(kind: 1, algorithm: -8, (-1, [6]), (-2, CBOR.bytes([1, 2, 3])))),
        // ES384, ES512, PS256, RS1, ES256K, nothing.
        (.unsupportedAlgorithm, cose(kind: 2, algorithm: -35, (-1, [2]), (-2, coordinate), (-3, coordinate))),
        (.unsupportedAlgorithm, cose(kind: 2, algorithm: -36, (-1, [3]), (-2, coordinate), (-3, coordinate))),
        (.unsupportedAlgorithm, cose(kind: 3, algorithm: -37, (-1, modulus), (-2, exponent))),
        (.unsupportedAlgorithm, cose(kind: 3, algorithm: -65_535, (-1, modulus), (-2, exponent))),
        (.unsupportedAlgorithm, cose(kind: 2, algorithm: -47, (-1, [8]), (-2, coordinate), (-3, coordinate))),
        (.unsupportedAlgorithm, CBOR.map()),
        // RSA: too small, too large, an exponent that is 1 or even or long, zeros in front.
        (
            .wrongKey,
            cose(kind: 3, algorithm: -257, (-1, CBOR.bytes([UInt8](repeating: 0xFF, count: 128))), (-2, exponent))
        ),
        (
            .wrongKey,
            cose(kind: 3, algorithm: -257, (-1, CBOR.bytes([UInt8](repeating: 0xFF, count: 513))), (-2, exponent))
        ),
        (.wrongKey, cose(kind: 3, algorithm: -257, (-1, modulus), (-2, CBOR.bytes([0, 0, 1])))),
        (.wrongKey, cose(kind: 3, algorithm: -257, (-1, modulus), (-2, CBOR.bytes([1, 0, 0])))),
        (.wrongKey, cose(kind: 3, algorithm: -257, (-1, modulus), (-2, CBOR.bytes([1, 0, 0, 0, 1])))),
        (
            .wrongKey,
            cose(kind: 3, algorithm: -257, (-1, CBOR.bytes([0] + [UInt8](repeating: 0xFF, count: 256))), (-2, exponent))
        ),
    ]

    @Test(arguments: keys.indices) func `a key that does not fit its algorithm is refused`(index: Int) throws {
        let (reason, cose) = Self.keys[index]
        var authenticator = Authenticator()
        authenticator.cose = cose
        let message = authenticator.registration(challenge)
        #expect(throws: reason) { try message.register(challenge) }
    }

    @Test func `a stored key that is none verifies nothing`() throws {
        let message = try Authenticator().assertion(challenge)
        for algorithm in PasskeyPublicKey.Algorithm.allCases {
            for count in [0, 31, 63, 258, 600] {
                #expect(PasskeyPublicKey(algorithm: algorithm, bytes: [UInt8](repeating: 1, count: count)) == nil)
            }
        }
        let point = try #require(PasskeyPublicKey(algorithm: .es256, bytes: [UInt8](repeating: 1, count: 64)))
        #expect(throws: WebAuthnRefusal.wrongKey) { try message.signIn(challenge, by: point) }
        let modulus = try #require(PasskeyPublicKey(algorithm: .rs256, bytes: [UInt8](repeating: 0xFF, count: 259)))
        #expect(throws: WebAuthnRefusal.wrongSignature) { try message.signIn(challenge, by: modulus) }
    }
}
