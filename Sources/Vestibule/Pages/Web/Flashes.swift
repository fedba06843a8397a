import Essentials
import Hummingbird
import Serving

extension Web {
    func say(_ flash: Flash, on page: String) throws -> Response {
        try adding(flash, to: seeOther(page))
    }

    /// The same redirect, and the page it leads to says it. Elsewhere nobody would read it, and it
    /// would wait for another page of this site.
    func adding(_ flash: Flash, to response: Response) throws -> Response {
        guard let page = response.headers[.location], page.begins(with: "/"), !page.begins(with: "//") else {
            return response
        }
        return response.setting(try flashes.set(flash))
    }

    func say(_ notice: Notice, on page: String) throws -> Response {
        try say(Flash(notice), on: page)
    }

    /// Says `notice` on `page` because a cookie is missing. A browser that sent no cookies cannot
    /// carry the notice there: it gets a page that says it at once.
    func sayCookieMissing(
        _ notice: Notice, on page: String, _ request: Request, _ context: AppContext
    ) throws -> Response {
        guard request.headers[.cookie] == nil else { return try say(notice, on: page) }
        let start: any Sendable = notice.offersRestart ? page : false
        let text = pages.sentence(notice.sentenceKey, context)
        return try pages.render("over", ["url": start, "text": text], context)
    }
}

extension Notice {
    static let signInFirst = Notice("sign_in_first", .note)
    static let sessionOver = Notice("session_over", .note)
    static let cookiesMissing = Notice("cookies_missing", .problem, offersRestart: true)
    static let formStale = Notice("form_stale", .problem)
    static let signedOut = Notice("signed_out", .done)
    static let lastWay = Notice("last_way", .problem)
    /// Of a session, a passkey and so on that was ended or removed before, or belongs to somebody
    /// else, which nobody learns.
    static let goneAlready = Notice("gone_already", .note)
}

extension Flash {
    /// After a new password: which ways in it took away, and which are left.
    init(_ notice: Notice, ways: WaysInReview, providers: Providers) {
        func labels(_ ways: [LinkedIdentity]) -> [String] {
            Set(ways.map(\.identity.provider)).sorted().compactMap { providers.named($0)?.settings.label }
        }
        let named = [
            ("ways_removed", labels(ways.removed)), ("passkeys_removed", ways.removedPasskeys.map(\.name)),
            ("ways_kept", labels(ways.kept)), ("passkeys_kept", ways.keptPasskeys.map(\.name)),
        ]
        let details = named.filter { !$0.1.isEmpty }.map(Self.detail)
        self.init(notice, details: ways.endsAll ? [Detail(key: "notice.ways_unproved", values: [:])] : details)
    }

    /// After an address was taken back: which passkeys are left.
    init(_ notice: Notice, kept passkeys: [Passkey]) {
        self.init(notice, details: passkeys.isEmpty ? [] : [Self.detail("passkeys_kept", passkeys.map(\.name))])
    }

    private static func detail(_ key: String, _ names: [String]) -> Detail {
        Detail(key: "notice.\(key)", values: ["ways": shortened(names).joined(separator: ", ")])
    }

    /// A cookie has no room for twenty names; the mail has them all.
    private static func shortened(_ names: [String]) -> [String] {
        names.count <= 4 ? names : names.prefix(3) + ["…"]
    }
}
