import Hummingbird

/// Second factors: pages and calls that add and remove them, and sign in with a passkey.
func addFactors(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, factors) = (site.shared, site.factors)
    StepUpAPI(stepUp: factors.stepUp, challenges: factors.challenges).add(to: router)
    FactorsAPI(store: shared.store, kinds: factors.kinds, policy: shared.settings.factorPolicy).add(to: router)
    let undo = FactorUndo(
        store: shared.store, links: factors.undo, providers: shared.providers, revocation: shared.revocation,
        mailer: shared.mailer, audit: shared.audit)
    FactorUndoRoutes(rule: undo, kinds: factors.kinds, web: site.web).add(to: router)
    if shared.settings.offersPasskeys { addPasskeys(site, to: router) }
    if shared.settings.secondFactor != .off { addCodes(site, to: router) }
}

/// The app, and codes for the day that everything else is lost.
private func addCodes(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, factors, web) = (site.shared, site.factors, site.web)
    let (pages, calls, proof) = (factors.proofPages(web), factors.calls, site.reauthentication)
    let brand = shared.settings.brandName
    let totp = TOTPSetup(
        store: shared.store, changes: factors.changes, key: shared.secretKey, random: shared.random, issuer: brand,
        now: shared.now)
    let codes = RecoveryCodes(
        store: shared.store, changes: factors.changes, key: shared.secretKey, random: shared.random, now: shared.now)
    let changed = FactorChangeAnswer(store: shared.store, web: web)
    TOTPRoutes(setup: totp, stepUp: pages, changed: changed, web: web).add(to: router)
    TOTPAPI(stepUp: calls, setup: totp, reauthentication: proof).add(to: router)
    RecoveryCodesRoutes(rule: codes, stepUp: pages, changed: changed, brand: brand, web: web).add(to: router)
    RecoveryCodesAPI(stepUp: calls, rule: codes, reauthentication: proof).add(to: router)
}

private func addPasskeys(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, factors, web) = (site.shared, site.factors, site.web)
    let settings = shared.settings
    let login = PasskeyLogin(
        store: shared.store, challenges: factors.challenges, verifier: factors.passkeyVerifier, limits: shared.limits,
        signIns: site.signIns, audit: shared.audit, key: shared.secretKey)
    let registration = PasskeyRegistration(
        store: shared.store, challenges: factors.challenges, relyingParty: factors.relyingParty,
        offersCodes: settings.secondFactor != .off, changes: factors.changes, inUse: settings.waysInUse,
        random: shared.random, now: shared.now)
    PasskeyLoginRoutes(login: login, challenges: factors.challengeCookie, web: web).add(to: router)
    PasskeyRoutes(
        registration: registration, challenges: factors.challengeCookie,
        stepUp: factors.proofPages(web), changed: FactorChangeAnswer(store: shared.store, web: web), web: web
    ).add(to: router)
    PasskeyAPI(
        login: login, registration: registration, challenges: factors.challenges, stepUp: factors.calls,
        reauthentication: site.reauthentication, problems: site.problems
    ).add(to: router)
    PasskeyWellKnownRoutes(publicURL: settings.publicURL, appleApps: settings.providers.flatMap(\.appleApps)).add(
        to: router)
}
