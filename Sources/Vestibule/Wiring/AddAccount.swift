import Hummingbird

/// What people do with their own account.
func addAccount(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, settings, web) = (site.shared, site.shared.settings, site.web)
    AccountRoutes(
        store: shared.store,
        ways: FactorWays(
            passkeys: settings.offersPasskeys, secondFactor: settings.secondFactor, kinds: site.factors.kinds),
        providers: shared.providers, applications: shared.applications, web: web
    ).add(to: router)
    let profile = Profile(store: shared.store, limits: shared.limits, audit: shared.audit)
    ProfileRoutes(profile: profile, stepUp: site.factors.proofPages(web), web: web).add(to: router)
    ProfileAPI(profile: profile).add(to: router)
    addPasswordChange(site, to: router)
    addEmailChange(site, to: router)
    EndSessionRoutes(sessions: site.sessions, stepUp: site.stepUpPages, web: web).add(to: router)
    TrustedBrowserRoutes(
        browsers: TrustedBrowsers(store: shared.store, audit: shared.audit), web: web
    ).add(to: router)
    SessionAPI(
        stepUp: site.factors.calls, store: shared.store, sessions: site.sessions,
        reauthentication: site.reauthentication, now: shared.now
    ).add(to: router)
    let exporter = AccountExporter(
        store: shared.store, kinds: site.factors.kinds, limits: shared.limits, audit: shared.audit)
    AccountExportRoutes(exporter: exporter, stepUp: site.stepUpPages, web: web).add(to: router)
    AccountExportAPI(
        exporter: exporter, reauthentication: site.reauthentication, stepUp: site.factors.calls
    ).add(to: router)
    addDeletion(site, to: router)
}

private func addPasswordChange(_ site: SiteServices, to router: Router<AppContext>) {
    let shared = site.shared
    let change = PasswordChange(
        store: shared.store, reauthentication: site.reauthentication, newPasswords: shared.newPasswords,
        sessions: site.sessions, revocation: shared.revocation, mailer: shared.mailer)
    PasswordChangeRoutes(change: change, stepUp: site.stepUpPages, web: site.web).add(to: router)
    PasswordChangeAPI(stepUp: site.factors.calls, change: change).add(to: router)
}

private func addEmailChange(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, sessions) = (site.shared, site.sessions)
    let change = EmailChange(
        store: shared.store, flows: shared.codeFlows, sessions: sessions, proof: site.reauthentication,
        mailer: shared.mailer, random: shared.random)
    EmailChangeRoutes(change: change, stepUp: site.stepUpPages, web: site.web).add(to: router)
    EmailChangeAPI(stepUp: site.factors.calls, change: change).add(to: router)
    let undo = EmailUndo(
        store: shared.store, flows: shared.codeFlows, hasher: shared.hasher, mailer: shared.mailer,
        providers: shared.providers, revocation: shared.revocation)
    EmailUndoRoutes(rule: undo, sessions: sessions, web: site.web).add(to: router)
}

private func addDeletion(_ site: SiteServices, to router: Router<AppContext>) {
    let shared = site.shared
    let eraser = AccountEraser(
        store: shared.store, revocation: shared.revocation, key: shared.secretKey, mailer: shared.mailer,
        random: shared.random, now: shared.now)
    let deletion = AccountDeletion(eraser: eraser, reauthentication: site.reauthentication, audit: shared.audit)
    AccountDeletionRoutes(
        deletion: deletion, browsers: shared.browsers, stepUp: site.stepUpPages, web: site.web
    ).add(to: router)
    AccountDeletionAPI(stepUp: site.factors.calls, deletion: deletion).add(to: router)
}
