import Essentials

/// Prepares what goes with every change of an account's factors, and follows it up.
struct FactorChanges: Sendable {
    let sessions: Sessions
    let mailer: Mailer
    let audit: Audit
    let undo: FactorUndoLinks

    /// What the change is told by.
    struct Told {
        let mail: MailContent.Kind
        let event: SecurityEvent.Kind
    }

    /// The change, and the session's new token. `values` fill the mail; `proved` is the factor that
    /// was just used.
    func prepare(
        _ told: Told, _ record: SessionRecord, _ values: [String: String] = [:], proved: SecondFactor? = nil,
        visitor: Visitor
    ) throws -> (token: Token, change: FactorChange) {
        let (token, renewal) = sessions.renew(record.session, secondFactor: proved, visitor: visitor)
        let change = FactorChange(
            accountID: record.accountID, renewal: renewal,
            notice: try mailer.mail(told.mail, to: record.account, values),
            event: audit.event(told.event, accountID: record.accountID, visitor: visitor),
            requiresFactor: sessions.requiresFactor)
        return (token, change)
    }

    /// Of a factor that is added to those `before`: the mail about the first one has a link that
    /// takes it back.
    func prepareAddition(
        _ told: Told, _ record: SessionRecord, _ factor: FactorUndoLink.Factor, to before: AccountFactors,
        _ values: [String: String] = [:], proved: SecondFactor? = nil, visitor: Visitor
    ) throws -> (token: Token, change: FactorChange) {
        var values = values
        if !before.asksSecondStep { values["token"] = try undo.text(factor, of: record.account) }
        return try prepare(told, record, values, proved: proved, visitor: visitor)
    }

    /// After the store has made it.
    func made(_ change: FactorChange, visitor: Visitor) {
        mailer.wake()
        audit.log(change.event, visitor: visitor)
    }
}
