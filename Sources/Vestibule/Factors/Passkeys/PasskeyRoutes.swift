import Essentials
import HTTPTypes
import Hummingbird
import Serving
import WebAuthn

/// `/account/security/passkeys`.
struct PasskeyRoutes {
    let registration: PasskeyRegistration
    let challenges: PasskeyChallengeCookie
    let stepUp: StepUpPages
    let changed: FactorChangeAnswer
    let web: Web
    static let path = "/account/security/passkeys"
    /// No options: the script sends the form as it is, whose answer asks for a proof or says why
    /// not.
    private static var formFirst: Response { Response(status: .forbidden, headers: [.cacheControl: "no-store"]) }

    func add(to routes: some RouterMethods<AppContext>) {
        let pages = routes.signedIn(web, page: Self.path).add(middleware: stepUp)
        pages.get(RouterPath(Self.path), use: show)
        pages.post(RouterPath(Self.path), use: add)
        pages.get("/account/security/passkeys/{id}/remove") { _, _ in seeOther(Self.path) }
        pages.post("/account/security/passkeys/{id}/remove", use: remove)
        if registration.offersCodes {
            pages.get("/account/security/passkeys/{id}/second") { _, _ in seeOther(Self.path) }
            pages.post("/account/security/passkeys/{id}/second", use: useForSecondStep)
        }
        // Mails and pages name passkeys, and their owner removes what they do not know: a stolen
        // session must not swap the names.
        let names = routes.signedIn(web, page: Self.path, staleForm: .isShownAgain).add(middleware: stepUp)
        names.get("/account/security/passkeys/{id}/rename") { _, _ in seeOther(Self.path) }
        names.post("/account/security/passkeys/{id}/rename", use: rename)
        // Asking for a challenge changes nothing: no proof.
        let asked = routes.signedIn(web, page: Self.path)
        asked.post("/account/security/passkeys/options", use: options)
        routes.signedIn(web, page: Self.path, termsMayWait: true)
            .post("/account/security/passkeys/proof-options", use: proofOptions)
    }

    @Sendable private func options(_ request: Request, _ context: SignedInContext) async throws -> Response {
        // First the proof: a passkey that is made before it may come too late.
        guard try await stepUp.isProved(context) else { return Self.formFirst }
        do {
            let (json, sealed) = try await registration.options(for: context.record, context.factors)
            return JSONReply.made(json).setting(challenges.set(sealed, in: request))
        } catch Refusal.passkeysFull {
            return Self.formFirst
        }
    }

    @Sendable private func proofOptions(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (json, sealed) = try await registration.proofOptions(for: context.record, context.factors)
        return JSONReply.made(json).setting(challenges.set(sealed, in: request))
    }

    @Sendable private func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try web.pages.render("account/security/passkeys", await values(context), context)
    }

    @Sendable private func add(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await page([:]).answer(request, context) {
            let form = try context.form()
            guard !form["credential"].isEmpty else {
                try await registration.requireRoom(context.factors)
                return try await goOn(context)
            }
            let sent = PasskeyRegistration.Form(
                response: form["credential"],
                challenge: challenges.challenge(
                    of: form["credential"], in: request, for: .register(context.session.id)),
                name: form["name"], isByItself: form["by_itself"] == "on")
            let added = try await registration.add(sent, to: context.record, context.factors, visitor: context.visitor)
            let response =
                try await added.lacksRecoveryCodes
                ? changed.say(.passkeyAddedWithoutCodes, on: RecoveryCodesRoutes.path, added.renewed, context)
                : changed.say(.passkeyAdded, on: Self.path, added.renewed, context)
            return response.setting(web.cookies.clear(.passkey))
        } again: { _ in
            try await values(context)
        }
    }

    /// The page after the proof that came first.
    private func goOn(_ context: SignedInContext) async throws -> Response {
        let own: Values = ["notice": web.pages.sentence("second_proof.done_intro", context)]
        return try web.pages.render("account/security/passkeys", await values(context).merging(own) { $1 }, context)
    }

    @Sendable private func rename(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = context.parameters.get("id") ?? ""
        return try await page(["name": "rename-\(id)"]).answer(request, context) {
            let form = try context.form()
            let isRenamed = try await registration.rename(id, to: form["name"], by: context.record)
            return try web.say(isRenamed ? .passkeyRenamed : .goneAlready, on: Self.path)
        } again: { refused in
            try await values(context, (id, refused.field("name", value: context.typed("name"))))
        }
    }

    @Sendable private func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = context.parameters.get("id") ?? ""
        _ = try context.form()
        let (removal, token) = try await registration.remove(
            id, from: context.record, context.factors, visitor: context.visitor)
        switch removal {
        case .removed: return try await changed.say(.passkeyRemoved, on: Self.path, token, context)
        case .lastWay: return try web.say(.lastWay, on: Self.path)
        case .unknown: return try web.say(.goneAlready, on: Self.path)
        }
    }

    @Sendable private func useForSecondStep(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = context.parameters.get("id") ?? ""
        _ = try context.form()
        let used = try await registration.useForSecondStep(
            id, of: context.record, context.factors, visitor: context.visitor)
        // It is one already, or gone.
        guard let used else { return seeOther(Self.path) }
        return try await used.lacksRecoveryCodes
            ? changed.say(.passkeySecondStepWithoutCodes, on: RecoveryCodesRoutes.path, used.renewed, context)
            : changed.say(.passkeySecondStep, on: Self.path, used.renewed, context)
    }

    private func page(_ ids: [String: String]) -> FormPage {
        FormPage(web: web, template: "account/security/passkeys", ids: ids, otherwise: "main")
    }

    /// `renamed` is the passkey whose new name was refused, and its field.
    private func values(
        _ context: SignedInContext, _ renamed: (id: String, field: Values)? = nil
    ) async throws -> Values {
        let factors = try await context.factors.read(registration.store)
        var own: Values = [
            "passkeys": factors.passkeys.map { row($0, of: factors, renamed, context) },
            "rp_id": registration.relyingParty.id, "offers_app": registration.offersCodes,
            "some_can_be_second": registration.offersCodes && !factors.passkeys.allSatisfy(\.isSecondFactor),
            "accepted": factors.passkeys.map { Base64URL.encode($0.credential.id) }.joined(separator: " "),
        ]
        own["signals"] = factors.userHandle.map { Base64URL.encode($0) }
        return web.accountValues(context).merging(own) { $1 }
    }

    private func row(
        _ passkey: Passkey, of factors: AccountFactors, _ renamed: (id: String, field: Values)?,
        _ context: SignedInContext
    ) -> Values {
        var row: Values = [
            "id": passkey.id, "name": passkey.name, "csrf": web.formToken(context),
            "is_not_asked": !factors.asksSecondStep(by: registration.changes.policy),
            "is_synced": passkey.credential.backup.isBackedUp,
            "can_be_second": !passkey.isSecondFactor && registration.offersCodes,
        ]
        let typed: Values = ["value": passkey.name]
        row["typed"] = renamed.flatMap { $0.id == passkey.id ? $0.field : nil } ?? typed
        return row.merging(web.pages.wayTimes(added: passkey.createdAt, used: passkey.lastUsedAt, context)) { $1 }
    }
}

extension Notice {
    static let passkeyAdded = Notice("passkey_added", .saved)
    static let passkeySecondStep = Notice("passkey_second_step", .saved)
    static let passkeySecondStepWithoutCodes = Notice("passkey_second_step_without_codes", .saved)
    static let passkeyRenamed = Notice("passkey_renamed", .saved)
    static let passkeyRemoved = Notice("passkey_removed", .saved)
    /// Codes come next, for the day it is lost.
    static let passkeyAddedWithoutCodes = Notice("passkey_added_without_codes", .saved)
}
