import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/security/undo`: opened from the mail about a first factor. Opening it changes nothing;
/// its button takes the factor back.
struct FactorUndoRoutes: LinkedPage {
    let rule: FactorUndo
    let kinds: FactorKinds
    let web: Web
    let kind = LinkKind.factorUndo
    let over = Notice.factorUndoGone

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/security/undo", use: show)
        routes.post("/account/security/undo", use: undo)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        if let presented = request.uri.queryParameters.get("token") { return try await open(presented, context) }
        return try await linked(nil, request, context) { link, pending in
            let masked: Values = ["masked": pending.account.email.masked]
            let others = kinds.all.filter { pending.kinds.contains($0.factor) }
                .map { web.pages.sentence("undo_factor.\($0.word)", context, masked) }
            return try web.pages.render(
                "account/security/undo",
                [
                    "link": try web.links.sealed(kind, link), "name": pending.passkey?.name ?? false,
                    "others": others, "disabled": pending.isDisabled,
                ].merging(masked) { $1 }, context)
        }
    }

    /// Everybody is signed out. What comes next is a new password, unless the account is disabled.
    @Sendable private func undo(_ request: Request, _ context: AppContext) async throws -> Response {
        try await linked(try await Form(request), request, context) { _, pending in
            guard try await rule.undo(pending, visitor: context.visitor) else {
                return try sayOver(context).setting(web.links.clear())
            }
            let (notice, path) =
                pending.isDisabled
                ? (Notice.factorTakenBackDisabled, "/login") : (.factorTakenBack, "/reset")
            let response = try web.say(notice, on: path).setting(web.links.clear())
            return context.record?.accountID == pending.account.id
                ? response.setting(web.cookies.clear(.session)) : response
        }
    }

    func pending(_ text: String) async throws -> FactorUndo.Pending? {
        try await rule.pending(text)
    }

    /// A session that is open here goes on: an old link changes nothing.
    func elsewhere(_ context: AppContext) -> String {
        context.session == nil ? "/login" : AccountSection.security.path
    }
}

extension Notice {
    static let factorTakenBack = Notice("factor_taken_back", .done)
    static let factorTakenBackDisabled = Notice("factor_taken_back_disabled", .saved)
    static let factorUndoGone = Notice("factor_undo_gone", .problem)
}

extension LinkKind {
    static let factorUndo = LinkKind(name: "factor", page: "/account/security/undo")
}
