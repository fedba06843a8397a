import Essentials

/// The limits of the five guarded actions; an empty list is `off`.
package struct LimitSettings: Sendable {
    package var login: [Limit]
    package var signup: [Limit]
    package var reset: [Limit]
    package var verify: [Limit]
    package var mail: [Limit]

    /// Beginning a sign-in through a provider: counted by itself, and not at all when logins are
    /// not.
    var provider: [Limit] {
        login.isEmpty
            ? []
            : [
                Limit(amount: 30, period: .seconds(60), key: .ip),
                Limit(amount: 200, period: .seconds(3600), key: .ip),
            ]
    }

    /// By action.
    var byAction: [RateLimits.Action: [Limit]] {
        [.login: login, .signup: signup, .reset: reset, .verify: verify, .mail: mail, .provider: provider]
    }

    init(_ read: SettingsReader) throws(SettingFault) {
        login = try read.limits(.limitLogin, keys: [.ip, .address, .addressAndIP, .device, .all])
        signup = try read.limits(.limitSignup, keys: [.ip, .address, .addressAndIP, .all])
        reset = try read.limits(.limitReset, keys: [.ip, .address, .addressAndIP, .device, .all])
        verify = try read.limits(.limitVerify, keys: Limit.Key.allCases)
        mail = try read.limits(.limitMail, keys: [.ip, .address, .addressAndIP, .device, .all])
    }
}
