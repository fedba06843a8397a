import Essentials
import HTTPTypes
import Hummingbird

/// What a redirect has to say: the next page says it once, and shows what belongs to it.
package struct Flash: Sendable, Equatable, Codable {
    package let notice: Notice
    /// Whose account it is.
    package let displayName: String?
    /// Providers by name, after a new password: those that still open the account, and those that
    /// no longer do.
    package let kept, removed: [String]

    package init(_ notice: Notice, displayName: String? = nil, ways: WaysInNotice? = nil) {
        self.notice = notice
        self.displayName = displayName
        kept = ways?.kept.sorted() ?? []
        removed = ways?.removed.sorted() ?? []
    }

    /// After a sign-up.
    static func accountReady(_ account: Account) -> Flash {
        Flash(.accountReady, displayName: account.displayName)
    }
}

extension Web {
    /// 303 to a page of ours, which says it.
    func say(_ flash: Flash, on page: String) throws -> Response {
        try adding(flash, to: seeOther(page))
    }

    /// The same redirect, and the page it leads to says it. Elsewhere nobody would read it, and it
    /// would wait for another page of ours.
    func adding(_ flash: Flash, to response: Response) throws -> Response {
        guard let page = response.headers[.location], page.begins(with: "/"), !page.begins(with: "//") else {
            return response
        }
        return response.setting(try flashes.set(flash))
    }

    /// 303 to a page of ours, which says it.
    func say(_ notice: Notice, on page: String) throws -> Response {
        try say(Flash(notice), on: page)
    }

    /// What the flash says, in the visitor's language.
    func sentence(_ flash: Flash, _ context: AppContext) -> String {
        let name = flash.displayName.map { ["display_name": $0] as Values } ?? [:]
        let ways = [("removed", flash.removed), ("kept", flash.kept)].compactMap { key, names -> String? in
            // Those that are not configured any more are left out.
            let labels = names.compactMap { providers.named($0)?.settings.label }.joined(separator: ", ")
            return labels.isEmpty ? nil : pages.sentence("notice.ways_\(key)", context, ["ways": labels])
        }
        return ([pages.sentence(flash.notice.sentenceKey, context, name)] + ways).joined(separator: " ")
    }
}
