import Bytes
import Testing

@testable import WebAuthn

/// What browsers are asked.
@Suite struct OptionsTests {
    private let ids = [CredentialID(bytes: [UInt8](1...16)), CredentialID(bytes: [UInt8](repeating: 7, count: 20))]
        .compactMap { $0 }
    private let zeros = Randomness { [UInt8](repeating: 0, count: $0) }

    @Test func `a passkey is asked for that is discoverable, verified and not attested`() throws {
        let options = CreationOptions(
            challenge: .random(zeros), relyingParty: .example, userHandle: .random(zeros), userName: "a@example.com",
            displayName: "Änne \"A\"", excluded: ids)
        let json = try JSONParser.parse(options.json())
        let expected = try JSONParser.parse(
            Array(
                #"""
                {"rp":{"id":"login.example.com","name":"Example"},
                "user":{"id":"\#(String(repeating: "A", count: 86))","name":"a@example.com","displayName":"Änne \"A\""},
                "challenge":"\#(String(repeating: "A", count: 43))","timeout":300000,"attestation":"none",
                "pubKeyCredParams":[{"type":"public-key","alg":-8},{"type":"public-key","alg":-7},
                {"type":"public-key","alg":-257}],
                "excludeCredentials":[{"type":"public-key","id":"AQIDBAUGBwgJCgsMDQ4PEA"},
                {"type":"public-key","id":"BwcHBwcHBwcHBwcHBwcHBwcHBwc"}],
                "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,
                "userVerification":"required"}}
                """#.utf8))
        #expect(json == expected)
    }

    @Test func `a sign-in asks for verification, and before somebody is known for any passkey`() throws {
        let challenge = WebAuthnChallenge.random(zeros)
        let open = try RequestOptions(challenge: challenge, relyingParty: .example).json()
        let start =
            #"{"challenge":"\#(String(repeating: "A", count: 43))","rpId":"login.example.com","timeout":300000,"#
        #expect(
            try JSONParser.parse(open)
                == JSONParser.parse(Array((start + #""allowCredentials":[],"userVerification":"required"}"#).utf8)))
        let known = try RequestOptions(
            challenge: challenge, relyingParty: .example, allowed: ids, userVerification: .preferred
        ).json()
        let allowed = ids.map { #"{"type":"public-key","id":"\#($0.base64URL)"}"# }.joined(separator: ",")
        #expect(
            try JSONParser.parse(known)
                == JSONParser.parse(
                    Array((start + #""allowCredentials":[\#(allowed)],"userVerification":"preferred"}"#).utf8)))
    }

    @Test func `challenges, handles and ids have their lengths`() {
        let lengths = [0, 15, 16, 31, 32, 33, 63, 64, 65, 1_023, 1_024]
        let bytes = lengths.map { [UInt8](repeating: 1, count: $0) }
        #expect(bytes.compactMap(WebAuthnChallenge.init(bytes:)).map(\.bytes.count) == [32])
        #expect(bytes.compactMap(UserHandle.init(bytes:)).map(\.bytes.count) == [64])
        #expect(bytes.compactMap(CredentialID.init(bytes:)).map(\.bytes.count) == [16, 31, 32, 33, 63, 64, 65, 1_023])
        #expect(WebAuthnChallenge.random(.system) != .random(.system))
        #expect(UserHandle.random(.system) != .random(.system))
        #expect(CredentialID(base64URL: "AQIDBAUGBwgJCgsMDQ4PEA") == ids.first)
        #expect(CredentialID(base64URL: "AQIDBAUGBwgJCgsMDQ4PEA==") == nil)
    }

    @Test func `well-known authenticators have names`() {
        let bitwarden: [UInt8] = [
            0xD5, 0x48, 0x82, 0x6E, 0x79, 0xB4, 0xDB, 0x40, 0xA3, 0xD8, 0x11, 0x11, 0x6F, 0x7E, 0x83, 0x49,
        ]
        #expect(AuthenticatorNames.name(aaguid: bitwarden) == "Bitwarden")
        #expect(AuthenticatorNames.name(aaguid: [UInt8](repeating: 0, count: 16)) == nil)
        #expect(AuthenticatorNames.name(aaguid: []) == nil)
    }
}
