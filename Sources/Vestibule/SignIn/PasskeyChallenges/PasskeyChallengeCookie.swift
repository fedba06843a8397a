import Essentials
import Hummingbird
import Serving
import WebAuthn

extension SiteCookies.Kind {
    /// The challenge that waits for a passkey, sealed.
    static let passkey = SiteCookies.Kind(rawValue: "-passkey")
}

/// Binds a challenge to the browser that asked for it.
struct PasskeyChallengeCookie: Sendable {
    let challenges: PasskeyChallenges
    let cookies: SiteCookies
    let relyingParty: RelyingParty
    /// Tabs that may wait at once.
    private static let atMost = 3

    /// The challenge, besides the newest of other tabs.
    func set(_ sealed: String, in request: Request) -> Cookie {
        let others = waiting(in: request).prefix(Self.atMost - 1)
        return cookies.set(
            .passkey, ([sealed] + others).joined(separator: "."), maxAge: Int(PasskeyChallenges.lifetime))
    }

    private func waiting(in request: Request) -> [String] {
        (cookies.value(.passkey, in: request) ?? "").parts(by: ".").prefix(Self.atMost).map { String($0) }
    }

    /// Options for a proof by a passkey that is a second factor.
    func ask(
        for purpose: PasskeyChallenges.Purpose, of factors: AccountFactors, _ request: Request
    ) throws -> Response {
        let (json, sealed) = try challenges.options(for: purpose, of: factors, relyingParty)
        return JSONReply.made(json).setting(set(sealed, in: request))
    }

    /// The challenge that the response answers, if this browser was given it for that purpose.
    func challenge(
        of response: String, in request: Request, for purpose: PasskeyChallenges.Purpose
    ) -> PasskeyChallenge? {
        guard let answered = ClientChallenge.bytes(of: response) else { return nil }
        return waiting(in: request).lazy.compactMap { challenges.open($0, for: purpose) }
            .first { $0.bytes == answered }
    }

    /// What a form proves a second factor with: what a passkey signed, or else a code.
    func attempt(_ form: Form, in request: Request, for purpose: PasskeyChallenges.Purpose) -> FactorAttempt {
        let credential = form["credential"]
        guard !credential.isEmpty else {
            // Either kind of code may be typed into the field of the other.
            let code = form["code"]
            return .code(code, as: code.isEmpty ? SecondFactor(rawValue: form["way"]) : nil)
        }
        return .passkey(response: credential, challenge(of: credential, in: request, for: purpose))
    }
}
