import Essentials
import Hummingbird
import Serving

/// Sign-in through providers: what an identity can do is shared by browsers and apps.
func addProviders(
    _ shared: SharedServices, _ sessions: Sessions, _ terms: Terms, _ signIns: SignIns,
    _ reauthentication: Reauthentication,
    _ secondSteps: SecondSteps, _ secondStepAnswer: SecondStepAnswer, _ stepUp: StepUpPages, _ web: Web,
    to router: Router<AppContext>
) {
    let (store, providers, audit, key) = (shared.store, shared.providers, shared.audit, shared.secretKey)
    let login = IdentityLogin(
        store: store, browsers: shared.browsers, signIns: signIns, secondSteps: secondSteps, key: key,
        verificationRequired: shared.settings.verificationRequired)
    let signup = ProviderSignup(
        store: store, login: login, sessions: sessions, terms: terms, limits: shared.limits,
        browsers: shared.browsers, audit: audit, key: key, random: shared.random, isOpen: shared.settings.signupOpen,
        now: shared.now)
    let nativeSignIn = NativeSignIn(
        store: store, login: login, signup: signup, providers: providers, limits: shared.limits, audit: audit, key: key,
        random: shared.random, logger: shared.logger, now: shared.now)
    NativeSignInAPI(signIn: nativeSignIn, secondStep: secondStepAnswer, providers: providers, audit: audit).add(
        to: router)
    guard !providers.all.isEmpty else { return }
    let linking = IdentityLinking(
        store: store, providers: providers, mailer: shared.mailer, audit: audit, key: key, random: shared.random,
        now: shared.now)
    addProviderPages(shared, sessions, reauthentication, stepUp, web, login, signup, linking, to: router)
    if let apple = providers.all.first(where: \.settings.isApple) {
        let notifications = AppleNotifications(
            provider: apple, store: store, providers: providers, mailer: shared.mailer, audit: audit, now: shared.now)
        AppleNotificationRoutes(notifications: notifications, audit: audit).add(to: router)
    }
}

/// The pages of sign-in through providers.
private func addProviderPages(
    _ shared: SharedServices, _ sessions: Sessions, _ reauthentication: Reauthentication,
    _ stepUp: StepUpPages, _ web: Web,
    _ login: IdentityLogin,
    _ signup: ProviderSignup,
    _ linking: IdentityLinking, to router: Router<AppContext>
) {
    let (store, providers, audit, key) = (shared.store, shared.providers, shared.audit, shared.secretKey)
    let question = ReauthenticationForm(reauthentication: reauthentication, sessions: sessions, web: web)
    let cookie = AuthCookie(cookies: web.cookies, key: key)
    let failures = ProviderFailures(web: web, audit: audit)
    let authorization = ProviderAuthorization(
        store: store, limits: shared.limits, returnTo: shared.returnTo, random: shared.random, now: shared.now)
    let signIn = ProviderSignIn(
        store: store, authorization: authorization, login: login, linking: linking,
        proof: ProviderProof(store: store, sessions: sessions, audit: audit), now: shared.now)
    for provider in providers.all {
        ProviderStartRoutes(
            provider: provider, authorization: authorization, reauthentication: reauthentication, failures: failures,
            web: web,
            cookie: cookie, key: key, publicURL: shared.settings.publicURL,
            rememberDefault: shared.settings.rememberDefault
        ).add(to: router)
        ProviderRoutes(provider: provider, rule: signIn, failures: failures, web: web, cookie: cookie).add(to: router)
    }
    ContinueRoutes(
        signup: signup, linking: linking, reauthentication: reauthentication, question: question, providers: providers,
        audit: audit, stepUp: stepUp,
        web: web, cookie: cookie
    ).add(to: router)
    let unlinking = IdentityUnlinking(
        store: store, providers: providers, revocation: shared.revocation, mailer: shared.mailer,
        audit: audit)
    IdentityRoutes(
        unlinking: unlinking, reauthentication: reauthentication, question: question, providers: providers,
        links: SignedLink(key: key), stepUp: stepUp,
        web: web
    ).add(to: router)
}
