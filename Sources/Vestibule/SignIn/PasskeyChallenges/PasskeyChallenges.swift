import Crypto
import Essentials
import Foundation
import WebAuthn

/// Gives out challenges and knows them again. A challenge rests sealed with the browser or the app,
/// so that giving one out writes nothing; answering one is noted in the store.
struct PasskeyChallenges: Sendable {
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date
    /// In seconds.
    static let lifetime: TimeInterval = 300

    /// What a challenge may be answered for.
    enum Purpose: Sendable, Equatable {
        /// Signing in, at the first or the second step.
        case signIn
        /// Making a passkey in that session.
        case register(SessionID)
        /// Proving one in that session.
        case prove(SessionID)

        fileprivate var text: String {
            switch self {
            case .signIn: "sign-in"
            case .register(let id): "register \(id)"
            case .prove(let id): "prove \(id)"
            }
        }
    }

    private struct Contents: Codable {
        let challenge, handle: String
        let purpose: String
        let expiresAt: Date
    }

    /// A challenge as it was given out.
    struct Issued: Sendable {
        let challenge: WebAuthnChallenge
        /// For the browser's cookie, or the app.
        let sealed: String
    }

    /// `userHandle` is kept with the challenge for a passkey that is to be made.
    func issue(for purpose: Purpose, userHandle: [UInt8] = []) throws -> Issued {
        let challenge = WebAuthnChallenge.random(random)
        let contents = Contents(
            challenge: Base64URL.encode(challenge.bytes), handle: Base64URL.encode(userHandle),
            purpose: purpose.text, expiresAt: now().addingTimeInterval(Self.lifetime))
        return Issued(challenge: challenge, sealed: try key.sealedText(contents, for: Self.use))
    }

    /// Options for somebody whose account is known: a passkey that is a second factor has to sign.
    func options(
        for purpose: Purpose, of factors: AccountFactors, _ relyingParty: RelyingParty
    ) throws -> (json: [UInt8], challenge: String) {
        let issued = try issue(for: purpose)
        let options = RequestOptions(
            challenge: issued.challenge, relyingParty: relyingParty,
            allowed: factors.passkeys.filter(\.isSecondFactor).compactMap { CredentialID(bytes: $0.credential.id) })
        return (try options.json(), issued.sealed)
    }

    /// Returns nil for one that is not ours, too old, or for another purpose.
    func open(_ text: String, for purpose: Purpose) -> PasskeyChallenge? {
        guard let contents = key.opened(text, atMost: 1024, for: Self.use, as: Contents.self),
            contents.purpose.isExactly(purpose.text), now() < contents.expiresAt,
            let bytes = Base64URL.decode(contents.challenge), let handle = Base64URL.decode(contents.handle)
        else { return nil }
        let digest = TokenDigest(bytes: [UInt8](SHA256.hash(data: bytes)))
        return PasskeyChallenge(
            bytes: bytes, userHandle: handle, once: Once(digest: digest, until: contents.expiresAt))
    }

    private static let use = SealedUse.cookie(name: "passkey")
}
