import Testing
import VerifierSupport
import VestibuleVerifier

@Suite("Keys that cannot be read")
struct KeyTroubleTests {
    private let signIn = SignIn()

    @Test func `nobody is refused while nothing is known`() async throws {
        let (verifier, token) = (signIn.verifier(), try signIn.token())
        for _ in 0..<5 { await expectUnavailable { try await verifier.verify(token) } }
        #expect(signIn.reads == 1)
        // A second later the sign-in has started.
        signIn.publish()
        _ = try await verifier.verify(signIn.advance(by: 1))
    }

    @Test func `an unknown key is not known to be wrong`() async throws {
        signIn.publish()
        let verifier = signIn.verifier()
        _ = try await verifier.verify(signIn.token())
        signIn.publish(nil)
        _ = try signIn.advance(by: 60)
        let other = try signIn.token { $0.header["kid"] = #""other""# }
        await expectUnavailable { try await verifier.verify(other) }
    }

    @Test(arguments: ["", "<html>", "[]", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, #"{"keys":[{}]}"#])
    func `what is no set of keys is trouble`(text: String) async throws {
        signIn.publish(text)
        let (verifier, token) = (signIn.verifier(), try signIn.token())
        await expectUnavailable { try await verifier.verify(token) }
    }

    @Test func `two keys with one id are trouble`() async throws {
        let token = try signIn.token { $0.alsoPublished = [$0.published.text] }
        signIn.publish()
        let verifier = signIn.verifier()
        await expectUnavailable { try await verifier.verify(token) }
    }

    @Test func `a point off the curve is trouble`() async throws {
        let token = try signIn.token { $0.published["x"] = $0.published["y"] }
        signIn.publish()
        let verifier = signIn.verifier()
        await expectUnavailable { try await verifier.verify(token) }
    }

    @Test func `keys of other kinds beside it are no obstacle`() async throws {
        let token = try signIn.token {
            $0.alsoPublished = [
                #"{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"r","use":"sig","alg":"RS256"}"#,
                #"{"kty":"OKP","crv":"Ed25519","x":"AAAA","kid":"first"}"#, #"{"kty":"NEW"}"#,
            ]
        }
        signIn.publish()
        _ = try await signIn.verifier().verify(token)
    }

    private func expectUnavailable(_ body: () async throws -> Identity) async {
        let error = await #expect(throws: AssertionError.self) { try await body() }
        guard case .keysUnavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
