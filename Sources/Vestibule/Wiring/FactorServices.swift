import Essentials
import Serving
import WebAuthn

/// What asks for second factors, and what is asked for, made once for all features.
struct FactorServices: Sendable {
    let relyingParty: RelyingParty
    let challenges: PasskeyChallenges
    let challengeCookie: PasskeyChallengeCookie
    let passkeyVerifier: PasskeyVerifier
    let kinds: FactorKinds
    let undo: FactorUndoLinks
    let changes: FactorChanges
    let reauthentication: Reauthentication
    let stepUp: StepUp

    init(_ shared: SharedServices, sessions: Sessions, cookies: SiteCookies) {
        let settings = shared.settings
        relyingParty = RelyingParty(
            id: settings.publicURL.origin.host, origin: settings.publicURL.origin.text, name: settings.brandName)
        challenges = PasskeyChallenges(key: shared.secretKey, random: shared.random, now: shared.now)
        challengeCookie = PasskeyChallengeCookie(
            challenges: challenges, cookies: cookies, relyingParty: relyingParty)
        passkeyVerifier = PasskeyVerifier(
            relyingParty: relyingParty, audit: shared.audit, isOn: settings.offersPasskeys)
        kinds = FactorKinds(
            all: [
                passkeyVerifier,
                TOTPKind(key: shared.secretKey, now: shared.now),
                RecoveryCodeKind(key: shared.secretKey),
            ],
            mailer: shared.mailer, audit: shared.audit)
        undo = FactorUndoLinks(key: shared.secretKey, now: shared.now)
        changes = FactorChanges(
            sessions: sessions, mailer: shared.mailer, audit: shared.audit, undo: undo, browsers: shared.browsers,
            limits: shared.limits, policy: settings.factorPolicy)
        reauthentication = Reauthentication(
            store: shared.store, hasher: shared.hasher, browsers: shared.browsers, limits: shared.limits,
            providers: shared.providers, key: shared.secretKey, audit: shared.audit, now: shared.now)
        stepUp = StepUp(
            store: shared.store, kinds: kinds, reauthentication: reauthentication, sessions: sessions,
            random: shared.random, policy: settings.factorPolicy)
    }

    /// For calls of the API.
    var calls: StepUpCalls { StepUpCalls(stepUp: stepUp) }

    /// For pages that ask for the password, too.
    func proofPages(_ web: Web) -> StepUpPages {
        StepUpPages(rule: stepUp, challenges: challengeCookie, web: web, asksFirst: true)
    }
}
