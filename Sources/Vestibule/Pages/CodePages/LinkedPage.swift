import Hummingbird
import Serving

/// The page behind a link from a mail, and the form there.
protocol LinkedPage: Sendable {
    /// What a link is for that is not over.
    associatedtype Pending
    var web: Web { get }
    var kind: LinkKind { get }
    /// What is said of a link that is over.
    var over: Notice { get }

    /// Returns nil if the link is over, or not ours.
    func pending(_ text: String) async throws -> Pending?
    /// Where somebody goes on without a link.
    func elsewhere(_ context: AppContext) -> String
}

extension LinkedPage {
    func sayOver(_ context: AppContext) throws -> Response {
        try web.say(over, on: elsewhere(context))
    }

    /// The first visit, by the link itself. If it is over, another link's cookie is kept.
    func open(_ text: String, _ context: AppContext) async throws -> Response {
        guard try await pending(text) != nil else { return try sayOver(context).withoutReferrer }
        return web.links.moved(kind, text)
    }

    /// What `answer` says of a link and what it is for; without one, or after its end, a page that
    /// says so.
    func linked(
        _ form: Form?, _ request: Request, _ context: AppContext,
        _ answer: (String, Pending) async throws -> Response
    ) async throws -> Response {
        guard let text = web.links.text(kind, form, in: request) else {
            return try web.sayCookieMissing(.linkLost, on: elsewhere(context), request, context)
        }
        guard let pending = try await pending(text) else { return try sayOver(context).setting(web.links.clear()) }
        return try await answer(text, pending)
    }
}
