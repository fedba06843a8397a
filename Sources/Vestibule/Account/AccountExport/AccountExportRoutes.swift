import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// `/account/export`: everything held about the account as one file, after the password when it was
/// not given lately.
struct AccountExportRoutes {
    let exporter: AccountExporter
    let stepUp: StepUpPages
    let web: Web

    static let path = "/account/export"
    static let page = AccountSection.data.path

    private var question: ProofPage { stepUp.question(at: Self.path, returnTo: Self.page) }

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.page, termsMayWait: true).add(middleware: stepUp)
        group.post(RouterPath(Self.path)) { request, context in
            // A file answered to a question would leave the question standing on the page.
            let page = seeOther(link(Self.path, context))
            guard try await !isProved(context) else { return stepUp.hasAsked(request) ? page : try await file(context) }
            guard try context.form().holds("current_password") else { return page }
            return try await question.answer(request, context) { _ in page }
        }
        routes.get(RouterPath(Self.path), use: show)
        routes.get("/account/export/file") { request, context in
            guard let context = linked(request, context) else { return seeOther(Self.page) }
            guard try await isProved(context) else { return seeOther(link(Self.path, context)) }
            return try await file(context)
        }
    }

    /// The page that begins the download, or that asks for the password first. Only for somebody
    /// who came from a page of this site: reloading a refused question or changing the language
    /// leads back.
    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let context = linked(request, context) else { return seeOther(Self.page) }
        guard try await isProved(context) else { return try await question.render(context) }
        let values: Values = ["signedIn": true, "file": link("/account/export/file", context)]
        return try web.pages.render("account/export", values, context)
    }

    private static let purpose = "export"

    private func isProved(_ context: SignedInContext) async throws -> Bool {
        guard stepUp.isFresh(context) else { return false }
        return try await stepUp.isProved(context)
    }

    private func link(_ path: String, _ context: SignedInContext) -> String {
        "\(path)?mark=\(web.signedLinks.mark(Self.purpose, context.session))"
    }

    /// The session, when the request followed a link of a page of it.
    private func linked(_ request: Request, _ context: AppContext) -> SignedInContext? {
        guard let context = try? SignedInContext(context: context),
            let mark = request.uri.queryParameters.get("mark"),
            web.signedLinks.verifies(mark, Self.purpose, context.session)
        else { return nil }
        return context
    }

    private func file(_ context: SignedInContext) async throws -> Response {
        guard let json = try await exporter.file(for: context.record, visitor: context.visitor) else {
            return try web.signInFirst(returnTo: nil)
        }
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
