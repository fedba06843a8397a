import Serving

extension FactorKinds {
    /// What `partials/second-factor` shows.
    func values(of factors: AccountFactors, _ pages: Pages, _ context: some PageContext) -> Values {
        let offered = factors.offered
        let typed = offered.first { $0 != .passkey }
        var values: Values = [
            "has_passkey": offered.contains(.passkey), "has_totp": offered.contains(.totp),
            "has_codes": offered.contains(.recoveryCode), "takes_code": typed != nil,
        ]
        values["question"] = all.first { $0.factor == typed }.map { pages.sentence($0.question, context) }
        return values
    }
}
