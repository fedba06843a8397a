/// The limits of the five guarded actions; an empty list is `off`.
struct LimitSettings: Sendable {
    var login: [Limit]
    var signup: [Limit]
    var reset: [Limit]
    var verify: [Limit]
    var mail: [Limit]

    /// Beginning a sign-in through a provider: as logins are by IP address, counted by itself.
    var provider: [Limit] { login.filter { $0.key == .ip } }

    /// Second factors: the amounts of codes, which count for a known browser, too, and what no
    /// setting removes.
    private var secondFactor: [Limit] {
        let byDevice = verify.filter { $0.key == .address }.map {
            Limit(amount: $0.amount, period: $0.period, key: .device)
        }
        return verify + byDevice + Self.secondFactorFloor
    }

    /// In a day, of all strangers together, of each known browser, of each session, and of all
    /// browsers. A code of an app is one of a million, three of which work at a time. Strangers
    /// cannot use up what is left to known browsers, nor a stolen session what is left to others.
    private static let secondFactorFloor = [
        (50, Limit.Key.address), (50, .device), (20, .flow), (100, .account),
    ].map { Limit(amount: $0, period: .seconds(86_400), key: $1) }

    /// Wrong current passwords in one session: 100 at once, then one every seven hours. No setting
    /// removes it.
    private static let proof = [
        Limit(amount: FailuresInARow.atMost, period: .seconds(30 * 86_400), key: .device)
    ]

    /// New names and files of everything held: each leaves a line in the account's activity, under
    /// which a thief must not hide what came before, nor fill the database.
    private static let noted = [Limit(amount: 10, period: .seconds(86_400), key: .account)]

    /// New second factors, ways in, passwords and consents, each counted apart: each leaves a line
    /// in the activity, and most send a mail, of which one may have the link that takes a change
    /// back.
    private static let changes = [Limit(amount: 30, period: .seconds(86_400), key: .account)]

    private var secondFactorMail: [Limit] {
        mail.isEmpty ? [] : [.address, .device].map { Limit(amount: 2, period: .seconds(86_400), key: $0) }
    }

    /// Wrong secrets and codes of clients, by address only.
    private var client: [Limit] { login.isEmpty ? [] : [Limit(amount: 60, period: .seconds(60), key: .ip)] }

    /// Strangers use up what all have together, and must not keep known browsers out.
    private var ownMail: [Limit] { mail.filter { $0.key != .all } }

    var byAction: [RateLimits.Action: [Limit]] {
        [
            .login: login, .signup: signup, .reset: reset, .verify: verify, .mail: mail,
            .knownMail: ownMail, .formerMail: ownMail, .provider: provider,
            .secondFactor: secondFactor, .secondFactorMail: secondFactorMail,
            .proofMail: secondFactorMail, .client: client,
            .proof: Self.proof, .rename: Self.noted, .export: Self.noted, .factorAddition: Self.changes,
            .passkeyUpgrade: Self.changes, .identityAddition: Self.changes, .passwordChange: Self.changes,
            .consent: Self.changes, .emailChange: Self.changes,
        ]
    }

    init(_ read: SettingsReader) {
        login = read.limits(.limitLogin, keys: [.ip, .address, .addressAndIP, .device, .all])
        signup = read.limits(.limitSignup, keys: [.ip, .address, .addressAndIP, .all])
        reset = read.limits(.limitReset, keys: [.ip, .address, .addressAndIP, .device, .all])
        verify = read.limits(.limitVerify, keys: Limit.Key.settable)
        mail = read.limits(.limitMail, keys: [.ip, .address, .addressAndIP, .device, .all])
    }
}
