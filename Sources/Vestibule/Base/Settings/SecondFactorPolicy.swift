import Essentials

/// Whether accounts have second factors.
package enum SecondFactorPolicy: Sendable {
    /// Who has one is asked for it.
    case optional
    /// Who has none must add one after signing in.
    case required
    /// Nobody is asked, and none is offered.
    case off
}

extension Settings {
    /// Whether passkeys are offered and accepted: browsers know those of hosts with a name only
    /// (WebAuthn level 3, section 5.1.2).
    package var offersPasskeys: Bool {
        let host = publicURL.origin.host.trimming { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return passkeys && IPAddress(host) == nil
    }

    /// What passkeys need below `/.well-known/` of the public host.
    package var passkeyFiles: [String] {
        guard offersPasskeys else { return [] }
        let hasApps = providers.contains { !$0.appleApps.isEmpty }
        return ["passkey-endpoints"] + (hasApps ? ["apple-app-site-association"] : [])
    }
}
