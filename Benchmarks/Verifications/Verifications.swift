import Foundation
import JWTKit
import VestibuleVerifier

/// The verifier beside jwt-kit alone, in turns: how many assertions each verifies in a second of
/// the processor, a line for each turn.
@main
enum Verifications {
    static let origin = "https://notes.example.com"

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard words.count == 2 else {
            FileHandle.standardError.write(Data("usage: verifications TURNS SECONDS\n".utf8))
            exit(64)
        }
        let key = ES256PrivateKey()
        let token = try await signed(with: key)
        let keys = await JWTKeyCollection().add(ecdsa: key.publicKey, kid: "first")
        let keySet = try keySet(of: key)
        let verifier = AssertionVerifier(issuer: origin, audience: origin, keys: KeySource { keySet })
        for _ in 0..<words[0] {
            let (own, alone) = try await rates(
                for: words[1], { _ = try await verifier.verify(token) },
                { _ = try await keys.verify(token, as: Claims.self) })
            print(own, alone)
        }
    }

    /// Of each, for a second of the processor; they take turns every few milliseconds.
    private static func rates(
        for seconds: Int, _ first: @Sendable () async throws -> Void, _ second: @Sendable () async throws -> Void
    ) async throws -> (Double, Double) {
        let (start, block) = (ContinuousClock.now, 50)
        var (count, times) = (0, (0.0, 0.0))
        while .now - start < .seconds(seconds) {
            times.0 += try await processorSeconds { for _ in 0..<block { try await first() } }
            times.1 += try await processorSeconds { for _ in 0..<block { try await second() } }
            count += block
        }
        return (Double(count) / times.0, Double(count) / times.1)
    }

    /// Of all threads.
    private static func processorSeconds(_ work: () async throws -> Void) async throws -> Double {
        let start = clock()
        try await work()
        // POSIX: in microseconds.
        return Double(clock() - start) / 1_000_000
    }

    private static func signed(with key: ES256PrivateKey) async throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = Claims(
            iss: origin, aud: origin, sub: "ada1", jti: "j1", sid: "s1", email: "ada@example.com", name: "Ada",
            iat: now, exp: now + 3600, auth_time: now, groups: ["staff"], amr: ["pwd"], email_verified: true)
        return try await JWTKeyCollection().add(ecdsa: key, kid: "first").sign(claims, kid: "first")
    }

    private static func keySet(of key: ES256PrivateKey) throws -> Data {
        guard let (x, y) = key.parameters else { throw JWTError.noKeyProvided }
        let (webX, webY) = (base64URL(x), base64URL(y))
        return Data(
            """
            {"keys":[{"kty":"EC","crv":"P-256","x":"\(webX)","y":"\(webY)","use":"sig","alg":"ES256","kid":"first"}]}
            """.utf8)
    }

    private static func base64URL(_ base64: String) -> String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// As an application without the verifier has them: no name is looked for twice.
private struct Claims: JWTPayload {
    let iss, aud, sub, jti, sid, email, name: String
    let iat, exp, auth_time: Int
    let groups, amr: [String]
    let email_verified: Bool

    func verify(using algorithm: some JWTAlgorithm) throws {
        guard iss == Verifications.origin, aud == iss, Double(exp) > Date().timeIntervalSince1970 else {
            throw JWTError.generic(identifier: "claims", reason: "not for here, or expired")
        }
    }
}
