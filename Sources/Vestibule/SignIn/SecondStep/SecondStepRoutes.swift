import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/login/second`: what is asked after the first step.
struct SecondStepRoutes {
    let step: SecondStep
    let challenges: PasskeyChallengeCookie
    let web: Web
    private static let path = "/login/second"
    /// The page without tries speaks of a sign-in.
    private static let over: Values = ["is_sign_in": true]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(Self.path), use: show)
        routes.post(RouterPath(Self.path), use: submit)
        routes.post("/login/second/options", use: options)
    }

    /// The password was right, so the passkeys of the account may be named.
    @Sendable private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let waiting = try await waiting(request), waiting.factors.offered.contains(.passkey) else {
            throw HTTPError(.notFound)
        }
        return try challenges.ask(for: .signIn, of: waiting.factors, request)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let waiting = try await waiting(request) else { return try startOver(request, context) }
        guard waiting.login.attempts < PendingLogin.attemptsAtMost else {
            return try web.spent(web.link("/login", returnTo: waiting.login.returnTo), with: Self.over, context)
        }
        return try web.pages.render("login/second", values(waiting, WishedWay(request), context), context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        guard let waiting = try await waiting(request) else { return try startOver(request, context) }
        let form = SecondStep.Form(
            attempt: challenges.attempt(fields, in: request, for: .signIn), trusts: fields["trust"] == "on")
        do {
            let signIn = try await step.prove(form, for: waiting, visitor: context.visitor)
            let answer = try web.signedIn(signIn, request).setting(web.flows.set(.secondStep, nil, in: request))
            let left = (waiting.factors.recoveryCodes?.left ?? 0) - 1
            let isLow = signIn.session.proof.secondFactor == .recoveryCode && left <= FactorKey.low
            let notice: Notice = left > 0 ? .recoveryCodesLow : .recoveryCodesUsedUp
            return isLow ? try web.adding(Flash(notice), to: answer) : answer
        } catch is Superseded {
            return try startOver(request, context)
        } catch {
            return try again(error, waiting, fields, request, context)
        }
    }

    /// The form again; after the last try only a new login helps.
    private func again(
        _ error: any Error, _ waiting: PendingLoginRecord, _ fields: Form, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let refused = RefusedForm(error, ids: waiting.factors.codeField, otherwise: "main", web, request, context)
        guard let refused else { throw error }
        let isWrong = refused.contains(.secondCodeWrong) || refused.contains(.passkeyRefused)
        let wasLast = waiting.login.isAtLastTry && isWrong
        guard !wasLast, !refused.contains(.secondStepSpent) else {
            let start = web.link("/login", returnTo: waiting.login.returnTo)
            return try web.spent(error, start, with: Self.over, request, context)
        }
        var values = values(waiting, WishedWay(fields), context)
        values["code"] = refused.field("code", value: fields["code"])
        values["trust"] = fields["trust"] == "on"
        return try refused.page("login/second", values, context)
    }

    /// The address is told to somebody who has passed the first step.
    private func values(_ waiting: PendingLoginRecord, _ wish: WishedWay, _ context: AppContext) -> Values {
        step.kinds.values(of: waiting.factors, wish, web.pages, context)
            .merging(LinkValues.of(waiting.login.returnTo, web)) { $1 }
            .merging(["email": waiting.account.email.typed, "is_sign_in": true]) { $1 }
    }

    private func waiting(_ request: Request) async throws -> PendingLoginRecord? {
        guard let flow = web.flows.flow(.secondStep, in: request) else { return nil }
        return try await step.pending(flow)
    }

    private func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        try web.startOver(.secondStep, at: "/login", request, context)
    }
}

extension Notice {
    /// After a sign-in with one of the last codes.
    static let recoveryCodesLow = Notice("recovery_codes_low", .note)
    /// After a sign-in with the last one.
    static let recoveryCodesUsedUp = Notice("recovery_codes_used_up", .note)
}
