import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/account/export`: everything held about the account as one file, after the password when it was not given lately.
struct AccountExportRoutes {
    let needs: Needs
    let sessions: Sessions
    let web: Web

    func add(to routes: Routes) {
        routes.post("/account/export", submit)
        routes.get("/account/export", start)
        routes.get("/account/export/file", download)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context, awaitingTerms: true) else {
            return signInFirst(returnTo: "/account")
        }
        let proof = PasswordProof(needs: needs)
        guard !proof.isFresh(record.session) else { return try await file(record, context) }
        guard form.holds("current_password") else {
            return try web.pages.render("account/proof", await values(record, context), context)
        }
        do {
            _ = try await proof.check(form["current_password"], of: record, visitor: context.visitor)
        } catch {
            let ids = ["current_password": "current-password"]
            let refused = RefusedForm(error, ids: ids, otherwise: "current-password", web, request, context)
            guard let refused else { throw error }
            let field = ["current_password": refused.field("current_password")]
            let values = try await values(record, context).merging(field) { $1 }
            return try refused.page("account/proof", values, context)
        }
        let (token, renewal) = sessions.renew(record.session, visitor: context.visitor)
        let event = needs.audit.event(.proved, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.renewSession(renewal, event: event)
        needs.audit.log(event, visitor: context.visitor)
        // A file answered here would leave the question standing on the page.
        return web.renewed(record.session, token, seeOther("/account/export?mark=\(mark(record.session))"))
    }

    /// The page that begins the download, for whoever has just given the password. The page that asks for it is shown at this
    /// URL, too: reloading it or changing the language leads back.
    @Sendable private func start(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = marked(request, context) else { return seeOther("/account") }
        let file = "/account/export/file?mark=\(mark(record.session))"
        return try web.pages.render("account/export", ["signedIn": true, "file": file], context)
    }

    @Sendable private func download(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = marked(request, context) else { return seeOther("/account") }
        return try await file(record, context)
    }

    private static let marked = "export"

    private func mark(_ session: Session) -> String {
        SessionMark(key: needs.secretKey).mark(Self.marked, session)
    }

    /// The session, when the request carries its mark and its owner has proved it lately.
    private func marked(_ request: Request, _ context: AppContext) -> SessionRecord? {
        guard let record = context.session, let mark = request.uri.queryParameters.get("mark"),
            SessionMark(key: needs.secretKey).verifies(mark, Self.marked, record.session),
            PasswordProof(needs: needs).isFresh(record.session)
        else { return nil }
        return record
    }

    private func file(_ record: SessionRecord, _ context: AppContext) async throws -> Response {
        let now = needs.now()
        guard let export = try await needs.store.export(accountID: record.account.id, now: now) else {
            return signInFirst(returnTo: nil)
        }
        let json = try await offEventLoop { Result { try export.json(at: now) } }.get()
        let event = needs.audit.event(.exported, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.noteExport(event)
        needs.audit.log(event, visitor: context.visitor)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .contentDisposition: "attachment; filename=\"account.json\"",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: json))
        )
    }

    private func values(_ record: SessionRecord, _ context: AppContext) async throws -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.guardian.formToken(context), "email": record.account.email,
            "action": "/account/export",
        ]
        let proof = PasswordProof(needs: needs)
        return own.merging(try await proof.values(record, returnTo: "/account", web, context)) { $1 }
    }
}
