import Essentials
import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// `/account/security/recovery-codes`: how many are left, new ones, and these as a file.
struct RecoveryCodesRoutes {
    let rule: RecoveryCodes
    let stepUp: StepUpPages
    let changed: FactorChangeAnswer
    let brand: String
    let web: Web

    static let path = "/account/security/recovery-codes"
    private var form: FormPage {
        FormPage(web: web, template: "account/security/recovery-codes", ids: [:], otherwise: "recovery-codes")
    }

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.path)
        group.get(RouterPath(Self.path), use: show)
        group.get("/account/security/recovery-codes/kept", use: goOn)
        group.post("/account/security/recovery-codes/file", use: file)
        group.add(middleware: stepUp).post(RouterPath(Self.path), use: make)
        routes.get("/account/security/recovery-codes/file") { _, _ in seeOther(Self.path) }
    }

    @Sendable private func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var values = try await values(context)
        values["has_wish"] = web.wish(after: request, context.session) != nil
        return try web.pages.render("account/security/recovery-codes", values, context)
    }

    /// The answer shows them; nothing else ever does.
    @Sendable private func make(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await form.answer(request, context) {
            _ = try context.form()
            let (codes, token) = try await rule.make(context.record, context.factors, visitor: context.visitor)
            var values = web.accountValues(context)
            values["heading"] = heading(context)
            values["codes"] = codes.map { ["text": $0.text] as Values }
            values["sealed"] = try rule.sealed(codes, context.record)
            let page = try web.pages.render("account/security/recovery-codes-made", values, context)
            return web.renewed(context.session, token, page)
        } again: { _ in
            try await values(context)
        }
    }

    /// Where the page of new codes leads: what is offered after a change of factors is offered only
    /// now, as nothing must lead away from codes that are not kept yet.
    @Sendable private func goOn(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if let wish = web.wish(after: request, context.session) { return seeOther(wish).forgettingTyped(request, web) }
        guard rule.haveJustBeenMade(try await context.factors.read(rule.store).recoveryCodes) else {
            return seeOther(AccountSection.security.path)
        }
        return try await changed.say(.recoveryCodesMade, on: AccountSection.security.path, nil, context)
    }

    @Sendable private func file(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let codes = rule.shown(try context.form()["codes"], context.record) else {
            return try web.say(.recoveryCodesGone, on: Self.path)
        }
        let lines = [
            heading(context),
            web.pages.sentence("recovery.file_hint", context),
            "",
        ]
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8",
                .contentDisposition: "attachment; filename=\"recovery-codes.txt\"",
            ],
            body: .init(byteBuffer: ByteBuffer(string: (lines + codes).map { "\($0)\r\n" }.joined())))
    }

    /// Whose codes they are, for paper and file.
    private func heading(_ context: SignedInContext) -> String {
        let words: Values = ["email": context.account.email.typed, "brand": brand]
        return web.pages.sentence("recovery.file_heading", context, words)
    }

    private func values(_ context: SignedInContext) async throws -> Values {
        let factors = try await context.factors.read(rule.store)
        var values = web.accountValues(context)
        guard factors.asksSecondStep(by: rule.changes.policy) else {
            return values.merging(["needs_factor": true]) { $1 }
        }
        guard let codes = factors.recoveryCodes else { return values }
        values["left"] = codes.left(web.pages, context)
        values["none_left"] = codes.left == 0
        values["low"] = codes.isLow
        values["made"] = web.pages.wayTimes(added: codes.createdAt, used: codes.lastUsedAt, context)
        return values
    }
}

extension Notice {
    static let recoveryCodesMade = Notice("recovery_codes_made", .saved)
    static let recoveryCodesGone = Notice("recovery_codes_gone", .problem)
}
