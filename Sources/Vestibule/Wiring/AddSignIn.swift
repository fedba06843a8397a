import Hummingbird

/// Welcome, sign-up, login, second step, logout and reset.
func addSignIn(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, web, factors) = (site.shared, site.web, site.factors)
    WelcomeRoutes(web: web).add(to: router)
    TermsRoutes(web: web).add(to: router)
    SiteAPI(settings: shared.settings, web: web).add(to: router)
    SwitchRoutes(web: web).add(to: router)
    StrengthRoutes(judge: shared.passwordJudge, web: web).add(to: router)
    let signup = site.signup
    SignupRoutes(signup: signup, web: web).add(to: router)
    SignupAPI(signup: signup).add(to: router)
    let login = site.login
    LoginRoutes(login: login, web: web).add(to: router)
    LoginAPI(login: login, problems: site.problems).add(to: router)
    let secondStep = site.secondStep
    SecondStepRoutes(step: secondStep, challenges: factors.challengeCookie, web: web).add(to: router)
    SecondStepAPI(step: secondStep, challenges: factors.challenges).add(to: router)
    LogoutRoutes(sessions: site.sessions, web: web).add(to: router)
    let reset = site.reset
    PasswordResetRoutes(reset: reset, sessions: site.sessions, web: web).add(to: router)
    PasswordResetAPI(reset: reset).add(to: router)
    let acceptance = TermsAcceptance(store: shared.store, terms: site.terms, audit: shared.audit)
    TermsAcceptanceRoutes(acceptance: acceptance, web: web).add(to: router)
    TermsAcceptanceAPI(acceptance: acceptance).add(to: router)
}

extension SiteServices {
    fileprivate var signup: Signup {
        Signup(
            store: shared.store, flows: shared.codeFlows, signIns: signIns, terms: terms, hasher: shared.hasher,
            mailer: shared.mailer, random: shared.random, isOpen: shared.settings.signupOpen)
    }

    fileprivate var login: Login {
        Login(
            store: shared.store, limits: shared.limits, hasher: shared.hasher, signIns: signIns,
            key: shared.secretKey, now: shared.now)
    }

    fileprivate var secondStep: SecondStep {
        SecondStep(
            store: shared.store,
            failures: FactorFailures(
                store: shared.store, kinds: factors.kinds, limits: shared.limits, key: shared.secretKey),
            browsers: shared.browsers, signIns: signIns, policy: shared.settings.factorPolicy, now: shared.now)
    }

    fileprivate var reset: PasswordReset {
        PasswordReset(
            store: shared.store, flows: shared.codeFlows, hasher: shared.hasher, mailer: shared.mailer,
            providers: shared.providers, revocation: shared.revocation, returnTo: shared.returnTo,
            random: shared.random)
    }
}
