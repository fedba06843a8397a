import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// `/account/export`: everything held about the account as one file, after the password when it was not given lately.
struct AccountExportRoutes {
    let needs: Needs
    let sessions: Sessions
    let web: Web

    private var proof: PasswordProof { PasswordProof(needs: needs) }
    private var question: ProofForm {
        ProofForm(needs: needs, sessions: sessions, web: web, action: "/account/export", returnTo: Self.page)
    }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/account/export", use: submit)
        routes.get("/account/export", use: show)
        routes.get("/account/export/file", use: download)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context, awaitingTerms: true) else {
            return try web.signInFirst(returnTo: Self.page)
        }
        guard check.isCurrent else { return try web.say(.formStale, on: Self.page) }
        guard !proof.isFresh(record.session) else { return try await file(record, context) }
        // A file answered to the question would leave the question standing on the page.
        let page = seeOther("/account/export?mark=\(mark(record.session))")
        guard form.holds("current_password") else { return page }
        return try await question.prove(form, record, request, context) { page }
    }

    /// The page that begins the download, or that asks for the password first. Only for whoever came from a page of ours:
    /// reloading a refused question or changing the language leads back.
    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = marked(request, context) else { return seeOther(Self.page) }
        guard proof.isFresh(record.session) else { return try await question.page(record, context) }
        let file = "/account/export/file?mark=\(mark(record.session))"
        return try web.pages.render("account/export", ["signedIn": true, "file": file], context)
    }

    @Sendable private func download(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = marked(request, context) else { return seeOther(Self.page) }
        guard proof.isFresh(record.session) else {
            return seeOther("/account/export?mark=\(mark(record.session))")
        }
        return try await file(record, context)
    }

    private static let purpose = "export"
    private static let page = AccountSection.data.path

    private func mark(_ session: Session) -> String {
        SessionMark(key: needs.secretKey).mark(Self.purpose, session)
    }

    /// The session, when the request carries its mark.
    private func marked(_ request: Request, _ context: AppContext) -> SessionRecord? {
        guard let record = context.session, let mark = request.uri.queryParameters.get("mark"),
            SessionMark(key: needs.secretKey).verifies(mark, Self.purpose, record.session)
        else { return nil }
        return record
    }

    private func file(_ record: SessionRecord, _ context: AppContext) async throws -> Response {
        let now = needs.now()
        guard let export = try await needs.store.export(accountID: record.account.id, now: now) else {
            return try web.signInFirst(returnTo: nil)
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
}
