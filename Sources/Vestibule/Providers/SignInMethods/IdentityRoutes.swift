import HTTPTypes
import Hummingbird
import Serving

/// `/account/identities/{id}/remove`, and `/account/confirm`: who you are, before a way to sign in
/// is added.
struct IdentityRoutes {
    let unlinking: IdentityUnlinking
    let stepUp: StepUpPages
    let changed: FactorChangeAnswer
    let web: Web

    private static let page = AccountSection.security.path

    func add(to routes: some RouterMethods<AppContext>) {
        let pages = routes.signedIn(web, page: Self.page).add(middleware: stepUp)
        pages.post("/account/identities/{id}/remove") { request, context in
            let id = context.parameters.get("id") ?? ""
            guard !stepUp.isFresh(context) else { return try await removed(id, context) }
            return try await question(request).answer(request, context) { try await removed(id, $0) }
        }
        pages.get("/account/confirm", use: showConfirm)
        pages.post("/account/confirm", use: confirm)
        routes.get("/account/identities/{id}/remove") { _, _ in seeOther(Self.page) }
    }

    private func removed(_ id: String, _ context: SignedInContext) async throws -> Response {
        let (removal, token) = try await unlinking.remove(id, from: context.record, visitor: context.visitor)
        switch removal {
        case .removed: return try await changed.say(.identityRemoved, on: Self.page, token, context)
        case .lastWay: return try web.say(.lastWay, on: Self.page)
        case .unknown: return try web.say(.goneAlready, on: Self.page)
        }
    }

    /// Asks who it is. After that, the way in that was chosen is added without another word: a form
    /// may not lead to a provider (`form-action`), so a page of this site does.
    @Sendable private func showConfirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let query = request.uri.queryParameters
        let addition = addition(query.get("add"), query.get("link"), context.session)
        if let addition, let asked = try await stepUp.asked("/account/confirm", addition.fields, context) {
            return asked
        }
        guard let addition, try await stepUp.mayAddWayIn(context) else {
            return try await question(request, addition).render(context)
        }
        let label = ["label": unlinking.providers.label(addition.name)]
        let sentence = web.pages.sentence("account.add_way", context, label)
        return try web.pages.render(
            "account/add", ["signedIn": true, "url": addition.start, "sentence": sentence], context)
    }

    @Sendable private func confirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try context.form()
        let addition = addition(form["add"], form["link"], context.session)
        if let addition, try await stepUp.mayAddWayIn(context) { return seeOther(addition.page) }
        return try await question(request, addition).answer(request, context) { _ in
            try addition.map { seeOther($0.page) } ?? web.say(.confirmed, on: Self.page)
        }
    }

    /// A way in to be added once it is clear who asks, with the mark of the link that asked for it.
    private struct Addition {
        let name: String
        let mark: String

        var page: String { "/account/confirm?add=\(name)&link=\(mark)" }
        var fields: [String: String] { ["add": name, "link": mark] }
        var start: String { "/auth/\(name)?link=\(mark)" }
    }

    private func addition(_ name: String?, _ mark: String?, _ session: Session) -> Addition? {
        // A factor that is required comes first.
        guard let name, let mark, !session.awaitsFactor, unlinking.providers.named(name) != nil,
            web.signedLinks.verifies(mark, ProviderLink.adding(name), session)
        else { return nil }
        return Addition(name: name, mark: mark)
    }

    private func question(_ request: Request, _ addition: Addition? = nil) -> ProofPage {
        stepUp.question(
            at: request.uri.path, returnTo: addition?.page ?? Self.page, keeping: addition?.fields ?? [:])
    }
}

extension Notice {
    static let identityRemoved = Notice("identity_removed", .saved)
}
