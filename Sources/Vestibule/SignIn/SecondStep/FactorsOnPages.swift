import Essentials
import Hummingbird
import Serving

/// Which of an account's second factors a page is to ask for.
struct WishedWay {
    let name: String
    /// Whether a code was sent, so that its field is shown again.
    let isTyped: Bool

    /// As a link names it.
    init(_ request: Request) {
        (name, isTyped) = (request.uri.queryParameters.get("way") ?? "", false)
    }

    /// As a form names it.
    init(_ form: Form) {
        (name, isTyped) = (form["way"], form.holds("code"))
    }

    /// The strongest one if nothing else is wished for.
    fileprivate func shown(of offered: [SecondFactor]) -> SecondFactor? {
        offered.first { $0.rawValue.isExactly(name) } ?? offered.first { !isTyped || $0 != .passkey } ?? offered.first
    }
}

extension Form {
    /// Whether it only asks for another way.
    var choosesWay: Bool { holds("way") && !holds("code") && !holds("credential") }
}

extension AccountFactors {
    /// The id of the input for a code, by its field; empty if the page asks for a passkey alone.
    var codeField: [String: String] { offered == [.passkey] ? [:] : ["code": "second-code"] }
}

extension FactorKey {
    /// How many recovery codes are left, in words.
    func left(_ pages: Pages, _ context: some PageContext) -> String {
        left == 0
            ? pages.sentence("recovery.none_left", context)
            : pages.templates.sentence("recovery.left", count: left, locale: context.locale)
    }
}

extension FactorKinds {
    /// Names in `icons.svg`.
    private static let icons: [SecondFactor: String] = [.passkey: "key", .totp: "phone", .recoveryCode: "codes"]

    /// What `partials/second-step` shows: one way, and the names of the others.
    func values(
        of factors: AccountFactors, _ wish: WishedWay?, _ pages: Pages, _ context: some PageContext
    ) -> Values {
        let offered = factors.offered
        guard let shown = wish?.shown(of: offered) ?? offered.first else { return [:] }
        var values: Values = [
            "way": shown.rawValue, "is_passkey": shown == .passkey, "takes_code": shown != .passkey,
            "takes_digits": shown == .totp,
            "others": offered.filter { $0 != shown }.map { other -> Values in
                [
                    "name": other.rawValue, "icon": Self.icons[other] ?? "shield",
                    "sentence": pages.sentence("second.use_\(other.rawValue)", context),
                ]
            },
        ]
        values["question"] = all.first { $0.factor == shown }.map { pages.sentence($0.question, context) }
        return values
    }
}
