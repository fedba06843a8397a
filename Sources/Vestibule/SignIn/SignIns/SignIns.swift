import Essentials
import Foundation
import Logging
import PasswordHashing

/// What every way of signing in has in common: who is let in, the second step where one is asked
/// for, the session, its event, the mail about a new browser and what the browser gets.
struct SignIns: Sendable {
    let store: any SignInStore
    let secondSteps: SecondSteps
    let sessions: Sessions
    let browsers: KnownBrowsers
    let newSignIns: NewSignIns
    let audit: Audit
    let returnTo: ReturnTo
    let verificationRequired: Bool

    /// Whether anything opens the account now.
    func admits(_ account: Account) -> Bool {
        account.obstacle(verificationRequired: verificationRequired) == nil
    }

    /// Begins the second step if the account asks this browser for one, and starts the session
    /// otherwise. Throws `Superseded` and `UsedBefore`.
    func proceed(_ proved: ProvedSignIn, visitor: Visitor) async throws -> SignInOutcome {
        var signIn = proved
        if let start = try await secondSteps.begin(&signIn, visitor: visitor) { return .secondStep(start) }
        return .signedIn(try await start(signIn, visitor: visitor))
    }

    /// Starts the session, when no step is left. Throws `Superseded` and `UsedBefore`.
    func start(_ proved: ProvedSignIn, visitor: Visitor) async throws -> SignIn {
        var signIn = proved
        let account = signIn.account
        let (token, session) = sessions.prepare(
            for: account, visitor: visitor, remembered: signIn.remembered, provedBy: signIn.provedBy,
            provedAt: signIn.provedAt, secondFactor: signIn.secondFactor, hasFactor: signIn.hasFactor)
        let event = audit.event(signIn.isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let rehashed = signIn.rehash.map { _ in
            audit.event(.passwordRehashed, accountID: account.id, visitor: visitor)
        }
        signIn.events = [event] + [rehashed].compactMap { $0 } + signIn.events
        if !signIn.isKnown { signIn.notice = try newSignIns.notice(event, of: signIn) }
        let hasMail = try await store.loginSucceeded(signIn, session: session)
        if hasMail { newSignIns.mailer.wake() }
        let methods: Logger.Metadata = ["amr": "\(session.session.proof.methods.joined(separator: " "))"]
        signIn.events.forEach { audit.log($0, visitor: visitor, $0.id == event.id ? methods : [:]) }
        // Not later than the event, which says from when on browsers are known after a reset that
        // comes at the same moment.
        let device = signIn.device ?? browsers.cookie(of: visitor, adding: account.email, at: event.at)
        return SignIn(
            account: account, token: token, session: session.session.current(requiresFactor: sessions.requiresFactor),
            device: device, destination: signIn.returnTo)
    }

    /// What makes an account with its first session, and the token
    /// that opens it.
    func prepare(
        _ account: Account, _ passwordHash: PasswordHash?, _ consent: Consent, remembered: Bool,
        by proof: FirstFactor, at provedAt: Date? = nil, _ kinds: [SecurityEvent.Kind], visitor: Visitor
    ) -> (new: NewAccount, token: Token) {
        let (token, session) = sessions.prepare(
            for: account, visitor: visitor, remembered: remembered, provedBy: proof, provedAt: provedAt)
        let events = kinds.map { audit.event($0, accountID: account.id, visitor: visitor) }
        let new = NewAccount(
            account: account, passwordHash: passwordHash, consent: consent, session: session, events: events)
        return (new, token)
    }

    func made(_ new: NewAccount, _ token: Token, returnTo: String?, visitor: Visitor) -> SignIn {
        new.events.forEach { audit.log($0, visitor: visitor) }
        return SignIn(
            account: new.account, token: token,
            session: new.session.session.current(requiresFactor: sessions.requiresFactor),
            device: browsers.cookie(of: visitor, adding: new.account.email), destination: returnTo)
    }
}

extension SecurityEvent.Kind {
    static let passwordRehashed = Self("password_rehashed", log: "authn_password_rehash")
}
