import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/security/totp`: the authenticator app, and how to add one.
struct TOTPRoutes {
    let setup: TOTPSetup
    let stepUp: StepUpPages
    let changed: FactorChangeAnswer
    let web: Web

    private static let path = "/account/security/totp"
    /// A new key, also for an account that has an app.
    private static let another = "/account/security/totp?replace=yes"
    private var form: FormPage {
        FormPage(
            web: web, template: "account/security/totp", ids: ["code": "totp-code"], otherwise: "totp-code")
    }

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.path).add(middleware: stepUp)
        group.get(RouterPath(Self.path), use: show)
        group.post(RouterPath(Self.path), use: confirm)
        group.post("/account/security/totp/remove", use: remove)
        // The question is shown at this URL: reloading it or changing the language leads back.
        routes.get("/account/security/totp/remove") { _, _ in seeOther(Self.path) }
    }

    /// The app there is; with `?replace=yes`, or without one, a new key.
    @Sendable private func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let replaces = request.uri.queryParameters.get("replace") == "yes"
        if !replaces, let totp = try await context.factors.read(setup.store).totp {
            return try web.pages.render("account/security/totp-added", added(totp, context), context)
        }
        // The key is a secret; the proof leads on to a form of this path.
        if let asked = try await stepUp.asked(Self.path, replaces ? ["replace": "yes"] : [:], context) { return asked }
        let pending = try setup.begin(context.record)
        return try web.pages.render("account/security/totp", try await values(pending, context), context)
    }

    @Sendable private func confirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try context.form()
        // After the proof that stood in front of the page of a new key.
        guard form.holds("setup") else { return seeOther(form["replace"] == "yes" ? Self.another : Self.path) }
        guard let pending = setup.pending(form["setup"], context.record) else {
            return try web.say(.totpKeyExpired, on: Self.another)
        }
        return try await confirm(pending, form["code"], request, context)
    }

    private func confirm(
        _ pending: TOTPSetup.Pending, _ code: String, _ request: Request, _ context: SignedInContext
    ) async throws -> Response {
        do {
            let renewed = try await setup.confirm(
                pending, typed: code, context.record, context.factors, visitor: context.visitor)
            let codes = try await context.factors.read(setup.store).recoveryCodes
            let next = codes == nil ? RecoveryCodesRoutes.path : AccountSection.security.path
            return try await changed.say(.totpAdded, on: next, renewed, context)
        } catch {
            return try await form.again(error, request, context) { refused in
                try await values(pending, context)
                    .merging(["code": refused.field("code", value: code)]) { $1 }
            }
        }
    }

    @Sendable private func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try context.form()
        guard let token = try await setup.remove(context.record, visitor: context.visitor) else {
            return seeOther(Self.path)
        }
        return try await changed.say(.totpRemoved, on: AccountSection.security.path, token, context)
    }

    private func values(_ pending: TOTPSetup.Pending, _ context: SignedInContext) async throws -> Values {
        let uri = setup.uri(pending, context.account)
        var values = web.accountValues(context)
        values["setup"] = pending.sealed
        values["key"] = pending.key.grouped
        values["uri"] = uri
        values["another"] = try await context.factors.read(setup.store).totp != nil
        // Without libqrencode the key is typed.
        if let picture = try await offEventLoop({ QRCode(uri) }) {
            values["picture"] = ["side": "\(picture.sizeWithMargin)", "path": picture.path] as Values
        }
        return values
    }

    private func added(_ totp: FactorKey, _ context: SignedInContext) -> Values {
        web.accountValues(context).merging(
            web.pages.wayTimes(added: totp.createdAt, used: totp.lastUsedAt, context)
        ) { $1 }
    }
}

extension Notice {
    static let totpAdded = Notice("totp_added", .saved)
    static let totpRemoved = Notice("totp_removed", .saved)
    static let totpKeyExpired = Notice("totp_key_expired", .problem)
}
