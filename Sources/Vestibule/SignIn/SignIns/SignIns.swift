import Essentials
import Foundation
import PasswordHashing

/// What every way of signing in has in common: the session, its event, the mail about a new browser
/// and what the browser gets.
struct SignIns: Sendable {
    let sessions: Sessions
    let terms: Terms
    let browsers: KnownBrowsers
    let newSignIns: NewSignIns
    let mailer: Mailer
    let audit: Audit
    let key: SecretKey

    /// Somebody who has proved who they are.
    struct Proved: Sendable {
        let account: Account
        let by: Session.Proof
        var secondFactor: SecondFactor?
        var findings = Findings()
        let remembered: Bool
        /// Whether the browser has signed in to the account before.
        let isKnown: Bool
        /// Where the visitor wanted to go; already checked.
        let destination: String?
    }

    /// What was found of the account after the first step; by default, that nobody has looked.
    struct Findings: Sendable {
        /// The account has a second factor that this browser is not asked for.
        var hasFactor = false
        /// Second factors that the account has none of; looked at again when the session is stored.
        var absent: Set<SecondFactor> = []
        /// Whether the account has room for more sessions.
        var hasRoom = false
    }

    /// What is written besides.
    struct Besides: Sendable {
        var returned: [LimitClaim] = []
        /// Whether failures in a row may have been counted before.
        var hasFailures = true
        var proved: PasswordHash?
        var rehash: PasswordHash?
        var events: [SecurityEvent] = []
        var mails: [QueuedMail] = []
        var use: FactorUse?
        var secondStep: SecondStepEnd?
    }

    /// Starts the session. `write` stores everything in one transaction and returns whether a mail
    /// was queued. `device` is the browser's cookie where it was made before.
    func start(
        _ proved: Proved, _ besides: Besides = Besides(), device: DeviceCookie? = nil, visitor: Visitor,
        write: (LoginSuccess) async throws -> Bool
    ) async throws -> SignIn {
        let account = proved.account
        let (token, session) = sessions.prepare(
            accountID: account.id, visitor: visitor, remembered: proved.remembered,
            awaitsTerms: account.termsVersion != terms.version, provedBy: proved.by,
            secondFactor: proved.secondFactor, hasFactor: proved.findings.hasFactor)
        let event = audit.event(proved.isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let events = [event] + besides.events
        let notice =
            try proved.isKnown
            ? nil : newSignIns.notice(event, to: account, by: proved.by, secondFactor: proved.secondFactor)
        let hasMail = try await write(
            LoginSuccess(
                session: session, failuresKey: besides.hasFailures ? key.failuresKey(account.email) : nil,
                returned: besides.returned,
                proved: besides.proved, rehash: besides.rehash, events: events, notice: notice, mails: besides.mails,
                use: besides.use, secondStep: besides.secondStep, absent: proved.findings.absent,
                hasRoom: proved.findings.hasRoom))
        if hasMail { mailer.wake() }
        events.forEach { audit.log($0, visitor: visitor) }
        return SignIn(
            account: account, token: token, session: session,
            device: device ?? browsers.cookie(of: visitor, adding: account.email), destination: proved.destination)
    }
}
