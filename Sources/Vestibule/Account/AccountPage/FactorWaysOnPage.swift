import Serving

/// Which factors the settings allow, and what the page of ways to sign in says of them.
struct FactorWays: Sendable {
    let passkeys: Bool
    let secondFactor: SecondFactorPolicy
    let kinds: FactorKinds

    /// Whether a browser may make a passkey by itself. It would not do where a second factor is
    /// required.
    var offersUpgrade: Bool { passkeys && secondFactor != .required }

    func values(of all: AccountFactors, _ pages: Pages, _ context: some PageContext) -> Values {
        let factors = all.counted(passkeys: passkeys)
        let (templates, locale) = (pages.templates, context.locale)
        var values: Values = [
            "offers_passkeys": passkeys, "offers_second": secondFactor != .off,
            "has_passkeys": !factors.passkeys.isEmpty,
            "asks_second": secondFactor != .off && factors.asksSecondStep,
            "is_first": factors.isEmpty, "keys": secondFactor == .off ? [] : rows(factors, pages, context),
            "must_add": secondFactor == .required && !factors.asksSecondStep,
            "few_codes": factors.recoveryCodes?.isLow ?? true,
            "no_codes": factors.recoveryCodes?.left ?? 0 == 0,
        ]
        if secondFactor != .off, !factors.asksSecondStep {
            values["lone_passkey"] = factors.passkeys.last?.id
        }
        if !factors.passkeys.isEmpty {
            values["passkey_count"] = templates.sentence(
                "passkeys.count", count: factors.passkeys.count, locale: locale)
        }
        values["codes_left"] = factors.recoveryCodes.map { $0.left(pages, context) }
        // More than a few are told by their number.
        values["passkeys"] = (factors.passkeys.count > 3 ? [] : factors.passkeys).map { passkey in
            pages.wayTimes(added: passkey.createdAt, used: passkey.lastUsedAt, context)
                .merging(["name": passkey.name]) { $1 }
        }
        values["codes"] = factors.recoveryCodes.map {
            pages.wayTimes(added: $0.createdAt, used: $0.lastUsedAt, context)
        }
        values["removal"] = factors.removalDueAt.map { pages.dated($0, context) }
        return values
    }

    /// Each kind that has a page of its own by its name.
    private func rows(_ factors: AccountFactors, _ pages: Pages, _ context: some PageContext) -> [Values] {
        kinds.all.filter { ![.passkey, .recoveryCode].contains($0.factor) }.map { kind in
            let (name, key) = (kind.factor.rawValue, factors.key(kind.factor))
            var row: Values = [
                "word": kind.word, "name": name, "title": pages.sentence("\(name).title", context),
                "state": pages.sentence(key == nil ? "factors.\(kind.word)" : "\(name).in_use", context),
            ]
            row["times"] = key.map { pages.wayTimes(added: $0.createdAt, used: $0.lastUsedAt, context) }
            return row
        }
    }
}
