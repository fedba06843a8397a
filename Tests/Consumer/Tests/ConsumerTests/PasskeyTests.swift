import Foundation
import Testing
import WebAuthn

/// With the first vector of the standard (Web Authentication Level 3, section "Test Vectors").
@Suite struct PasskeyTests {
    private struct Standard: Decodable {
        let id: String
        let origin: String
        let vectors: [[String: Part]]
    }

    /// What is in hexadecimal digits, by name; nothing of what is only text.
    private struct Part: Decodable {
        let bytes: [String: Data]

        init(from decoder: any Decoder) throws {
            let texts = (try? [String: String](from: decoder)) ?? [:]
            bytes = texts.mapValues { text in
                let pairs = stride(from: 0, to: text.count, by: 2).map { text.dropFirst($0).prefix(2) }
                return Data(pairs.compactMap { UInt8($0, radix: 16) })
            }
        }
    }

    private let party: RelyingParty
    private let made: [String: Data]
    private let used: [String: Data]

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../WebAuthnTests/Fixtures/w3c.json")
        let standard = try JSONDecoder().decode(Standard.self, from: Data(contentsOf: file))
        party = RelyingParty(id: standard.id, origin: standard.origin, name: "Example")
        made = try #require(standard.vectors[0]["registration"]).bytes
        used = try #require(standard.vectors[0]["authentication"]).bytes
    }

    @Test func `a passkey of the standard is registered and signs in`() throws {
        let passkey = try register()
        #expect(Data(passkey.id.bytes) == made["credential_id"])
        let answer = try AssertionResponse(json: json(used, ["clientDataJSON", "authenticatorData", "signature"]))
        #expect(answer.credentialID == passkey.id)
        let said = try answer.verify(
            challenge: challenge(used), relyingParty: party, publicKey: passkey.publicKey,
            requiresUserVerification: false)
        #expect(said.signatureCount == 0)
    }

    @Test func `a signature that was changed is refused`() throws {
        let passkey = try register()
        var changed = used
        changed["signature"]?[20] ^= 1
        let answer = try AssertionResponse(json: json(changed, ["clientDataJSON", "authenticatorData", "signature"]))
        #expect(throws: WebAuthnRefusal.wrongSignature) {
            try answer.verify(
                challenge: challenge(used), relyingParty: party, publicKey: passkey.publicKey,
                requiresUserVerification: false)
        }
    }

    @Test func `a browser is asked with a fresh challenge`() throws {
        let challenge = WebAuthnChallenge.random()
        #expect(challenge != .random())
        let options = RequestOptions(challenge: challenge, relyingParty: party, allowed: [try register().id])
        let text = String(decoding: try options.json(), as: UTF8.self)
        #expect(text.contains(#""rpId":"example.org""#) && text.contains(base64URL(Data(challenge.bytes))))
    }

    private func register() throws -> RegisteredCredential {
        try RegistrationResponse(json: json(made, ["clientDataJSON", "attestationObject"])).verify(
            challenge: challenge(made), relyingParty: party, requiresUserVerification: false)
    }

    private func challenge(_ part: [String: Data]) throws -> WebAuthnChallenge {
        let bytes = try #require(part["challenge"])
        return try #require(WebAuthnChallenge(bytes: [UInt8](bytes)))
    }

    /// As a browser would send it.
    private func json(_ part: [String: Data], _ names: [String]) throws -> [UInt8] {
        let id = base64URL(try #require(made["credential_id"]))
        let response = try names.map { #""\#($0)":"\#(base64URL(try #require(part[$0])))""# }.joined(separator: ",")
        return Array(#"{"type":"public-key","id":"\#(id)","rawId":"\#(id)","response":{\#(response)}}"#.utf8)
    }

    private func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
