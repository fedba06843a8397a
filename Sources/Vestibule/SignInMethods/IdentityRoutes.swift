import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/identities/{id}/remove`, and `/account/confirm`: who you are, before a way to sign in
/// is added.
struct IdentityRoutes {
    let unlinking: IdentityUnlinking
    let proof: PasswordProof
    let question: ProofForm
    let providers: Providers
    let marks: SessionMark
    let web: Web

    private static let page = AccountSection.security.path

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/account/identities/{id}/remove", use: remove)
        routes.get("/account/identities/{id}/remove") { _, _ in seeOther(Self.page) }
        routes.get("/account/confirm", use: showConfirm)
        routes.post("/account/confirm", use: confirm)
    }

    @Sendable private func remove(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: Self.page, context)
        }
        guard check.isCurrent else { return try web.say(.formStale, on: Self.page) }
        let id = context.parameters.get("id") ?? ""
        guard proof.isFresh(record.session) else {
            return try await question(request).prove(form, record, request, context) {
                try await removed(id, record, context)
            }
        }
        return try await removed(id, record, context)
    }

    private func removed(_ id: String, _ record: SessionRecord, _ context: AppContext) async throws -> Response {
        switch try await unlinking.remove(id, from: record.account, visitor: context.visitor) {
        case .removed: return try web.say(.identityRemoved, on: Self.page)
        case .lastWay: return try web.say(.lastWay, on: Self.page)
        case .unknown: throw HTTPError(.notFound)
        }
    }

    /// Asks who it is. After that, the way in that was chosen is added without another word: a form
    /// may not lead to a provider (`form-action`), so a page of ours does.
    @Sendable private func showConfirm(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            let query = request.uri.queryParameters
            let addition = addition(query.get("add"), query.get("link"), record)
            guard let addition, try await proof.mayAddWayIn(record) else {
                return try await question(request, addition).page(record, context)
            }
            let label = ["label": providers.label(addition.name)]
            let sentence = web.pages.sentence("account.add_way", context, label)
            return try web.pages.render(
                "account/add", ["signedIn": true, "url": addition.start, "sentence": sentence], context)
        }
    }

    @Sendable private func confirm(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: Self.page, context)
        }
        guard check.isCurrent else { return try web.say(.formStale, on: Self.page) }
        let addition = addition(form["add"], form["link"], record)
        return try await question(request, addition).prove(form, record, request, context) {
            try addition.map { seeOther($0.page) } ?? web.say(.confirmed, on: Self.page)
        }
    }

    /// A way in to be added once it is clear who asks, with the mark of the link that asked for it.
    private struct Addition {
        let name: String
        let mark: String

        var page: String { "/account/confirm?add=\(name)&link=\(mark)" }
        var start: String { "/auth/\(name)?link=\(mark)" }
    }

    private func addition(_ name: String?, _ mark: String?, _ record: SessionRecord) -> Addition? {
        guard let name, let mark, providers.named(name) != nil,
            marks.verifies(mark, ProviderLink.adding(name), record.session)
        else { return nil }
        return Addition(name: name, mark: mark)
    }

    private func question(_ request: Request, _ addition: Addition? = nil) -> ProofForm {
        var question = question
        question.action = request.uri.path
        question.returnTo = Self.page
        if let addition {
            question.kept = ["add": addition.name, "link": addition.mark]
            question.returnTo = addition.page
        }
        return question
    }
}
