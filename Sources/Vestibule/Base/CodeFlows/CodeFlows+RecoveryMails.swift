extension CodeFlows {
    /// What a mail is counted by that may open the account of an address again, asked for by
    /// whom `KnownBrowsers.recoverySubject` names: the better choice first. Known browsers have
    /// mails apart from strangers, but all of an address have them together, as one person may have
    /// signed in with many.
    func recoveryMailClaims(_ subject: LimitSubject, isKnown: Bool) -> [[LimitClaim]] {
        subject.choices.map { choice in
            let mail: RateLimits.Action = choice.device == nil ? .mail : isKnown ? .knownMail : .formerMail
            return limits.claims(.reset, choice) + limits.claims(mail, choice.stranger)
        }
    }
}
