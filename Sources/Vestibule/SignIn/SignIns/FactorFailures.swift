import Essentials

/// Keeps wrong second factors, at sign-in and where one is asked for again, and tells the owner of
/// every fifth in a row, so that nobody can guess unseen by beginning anew.
struct FactorFailures: Sendable {
    let store: any PendingLoginStore
    let kinds: FactorKinds
    let limits: RateLimits
    let key: SecretKey

    func note(
        _ kind: SecurityEvent.Kind, of account: Account, telling mail: MailContent.Kind,
        _ values: [String: String] = [:], within limit: RateLimits.Action = .secondFactorMail, visitor: Visitor
    ) async throws {
        let event = kinds.audit.event(kind, accountID: account.id, visitor: visitor)
        // Somebody with the password could fill the mailbox otherwise.
        let claims = limits.claims(limit, LimitSubject(client: visitor.client, email: account.email))
        let isTold = try await store.secondStepFailed(
            failuresKey: key.failuresKey(account.email), event: event,
            notice: try kinds.mailer.mail(mail, to: account, values, by: visitor), claims: claims)
        if isTold { kinds.mailer.wake() }
        kinds.audit.log(event, visitor: visitor)
    }
}
