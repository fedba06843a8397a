import Essentials
import Hummingbird
import Serving

/// Second factors: pages and calls that add and remove them, and sign in with a passkey.
func addFactors(
    _ shared: SharedServices, _ sessions: Sessions, _ signIns: SignIns, _ factors: FactorServices, _ web: Web,
    to router: Router<AppContext>
) {
    StepUpAPI(stepUp: factors.stepUp, challenges: factors.challenges, sessions: sessions).add(to: router)
    FactorsAPI(store: shared.store).add(to: router)
    FactorUndoRoutes(
        rule: FactorUndo(
            store: shared.store, links: factors.undo, mailer: shared.mailer, audit: shared.audit),
        web: web
    ).add(to: router)
    if shared.settings.offersPasskeys { addPasskeys(shared, sessions, signIns, factors, web, to: router) }
    guard shared.settings.secondFactor != .off else { return }
    let (pages, calls, proof) = (factors.proofPages(web), factors.calls, factors.reauthentication)
    let brand = shared.settings.brandName
    let totp = TOTPSetup(
        store: shared.store, changes: factors.changes, key: shared.secretKey, random: shared.random, issuer: brand,
        now: shared.now)
    let codes = RecoveryCodes(
        store: shared.store, changes: factors.changes, key: shared.secretKey, random: shared.random, now: shared.now)
    let changed = FactorChangeAnswer(store: shared.store, web: web)
    TOTPRoutes(setup: totp, stepUp: pages, changed: changed, web: web).add(to: router)
    TOTPAPI(stepUp: calls, setup: totp, reauthentication: proof, sessions: sessions).add(to: router)
    RecoveryCodesRoutes(rule: codes, stepUp: pages, changed: changed, brand: brand, web: web).add(to: router)
    RecoveryCodesAPI(stepUp: calls, rule: codes, reauthentication: proof, sessions: sessions).add(to: router)
}

private func addPasskeys(
    _ shared: SharedServices, _ sessions: Sessions, _ signIns: SignIns, _ factors: FactorServices, _ web: Web,
    to router: Router<AppContext>
) {
    let settings = shared.settings
    let login = PasskeyLogin(
        store: shared.store, challenges: factors.challenges, verifier: factors.passkeyVerifier, limits: shared.limits,
        browsers: shared.browsers, signIns: signIns, audit: shared.audit, returnTo: shared.returnTo,
        verificationRequired: settings.verificationRequired, now: shared.now)
    let registration = PasskeyRegistration(
        store: shared.store, challenges: factors.challenges, relyingParty: factors.relyingParty,
        offersCodes: settings.secondFactor != .off, changes: factors.changes, providers: shared.providers,
        audit: shared.audit, random: shared.random, now: shared.now)
    PasskeyLoginRoutes(login: login, challenges: factors.challengeCookie, web: web).add(to: router)
    PasskeyRoutes(
        registration: registration, store: shared.store, challenges: factors.challengeCookie,
        stepUp: factors.proofPages(web), changed: FactorChangeAnswer(store: shared.store, web: web), web: web
    ).add(to: router)
    PasskeyAPI(
        login: login, registration: registration, challenges: factors.challenges, sessions: sessions,
        stepUp: factors.calls, reauthentication: factors.reauthentication
    ).add(to: router)
    PasskeyWellKnownRoutes(publicURL: settings.publicURL, appleApps: settings.providers.flatMap(\.appleApps)).add(
        to: router)
}
