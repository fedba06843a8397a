import Essentials
import Foundation
import WebAuthn

/// Signing in with a passkey, which is both factors: nothing is typed. One that a browser made by
/// itself is the first factor only.
struct PasskeyLogin: Sendable {
    let store: any FactorStore
    let challenges: PasskeyChallenges
    let verifier: PasskeyVerifier
    let limits: RateLimits
    let signIns: SignIns
    let audit: Audit
    let key: SecretKey

    /// What was sent.
    struct Form: Sendable {
        /// An authenticator's response in JSON.
        let response: String
        let challenge: PasskeyChallenge?
        let remember: Bool
        let returnTo: String?
    }

    /// Why somebody is not let in; the same sentence for all.
    struct Refused: Error {
        /// Whether nobody has that passkey here, so that the browser may forget it.
        let isUnknown: Bool
    }

    /// What a browser is asked to sign: no list of passkeys, as nobody has said who they are.
    func options() throws -> (json: [UInt8], challenge: String) {
        let issued = try challenges.issue(for: .signIn)
        let options = RequestOptions(challenge: issued.challenge, relyingParty: verifier.relyingParty)
        return (try options.json(), issued.sealed)
    }

    /// Throws `Refused` for whatever is wrong, and `Refusal.limited`.
    func signIn(_ form: Form, visitor: Visitor) async throws -> SignInOutcome {
        try await limits.take(.login, LimitSubject(client: visitor.client), now: audit.now())
        guard let signed = SignedResponse(form.response, form.challenge) else {
            return try refuse(nil, visitor: visitor)
        }
        let record = try await store.passkey(credentialID: signed.response.credentialID.bytes)
        guard let record else {
            try verifier.refuseUnknown(signed, visitor: visitor)
            return try refuse(nil, isUnknown: true, visitor: visitor)
        }
        let use = try verifier.use(signed, of: record.passkey, visitor: visitor)
        guard let use, signed.isOf(record.userHandle, mayBeSilent: false), signIns.admits(record.account) else {
            return try refuse(record.account, visitor: visitor)
        }
        do {
            return try await succeed(record, use, form, visitor)
        } catch is UsedBefore, is Superseded {
            return try refuse(record.account, visitor: visitor)
        }
    }

    /// Nothing can be guessed here, so it counts for no address.
    private func refuse(_ account: Account?, isUnknown: Bool = false, visitor: Visitor) throws -> SignInOutcome {
        audit.log(audit.event(.passkeyRefused, accountID: account?.id, visitor: visitor), visitor: visitor)
        throw Refused(isUnknown: isUnknown)
    }

    private func succeed(
        _ record: PasskeyRecord, _ use: FactorUse, _ form: Form, _ visitor: Visitor
    ) async throws -> SignInOutcome {
        let account = record.account
        var signIn = ProvedSignIn(
            account: account, by: .passkey, remembered: form.remember,
            returnTo: signIns.returnTo.granted(form.returnTo),
            isKnown: try await signIns.browsers.isKnown(visitor, to: account.email))
        signIn.events = verifier.news(of: use, on: AccountFactors(passkeys: [record.passkey])).events.map {
            audit.event($0, accountID: account.id, visitor: visitor)
        }
        signIn.use = use
        signIn.failuresKey = key.failuresKey(account.email)
        // One that a browser made by itself takes only the password to make.
        guard record.passkey.isSecondFactor else { return try await signIns.proceed(signIn, visitor: visitor) }
        signIn.secondFactor = .passkey
        return .signedIn(try await signIns.start(signIn, visitor: visitor))
    }
}
