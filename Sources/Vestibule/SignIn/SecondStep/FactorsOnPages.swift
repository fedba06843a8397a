import Serving

extension AccountFactors {
    /// What `partials/second-factor` shows.
    var values: Values {
        let offered = offered
        return [
            "has_passkey": offered.contains(.passkey), "has_totp": offered.contains(.totp),
            "has_codes": offered.contains(.recoveryCode), "takes_code": offered.contains { $0 != .passkey },
        ]
    }
}
