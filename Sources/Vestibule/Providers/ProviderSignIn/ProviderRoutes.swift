import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/auth/{provider}/callback` ends what `/auth/{provider}` began.
struct ProviderRoutes {
    let provider: Provider
    let rule: ProviderSignIn
    let failures: ProviderFailures
    let web: Web
    let cookie: AuthCookie

    private var path: String { "/auth/\(provider.settings.name)/callback" }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(path), use: finish)
        if provider.settings.isApple { routes.post(RouterPath(path), use: pass) }
    }

    /// Apple posts its answer across sites, where a `Lax` cookie does not go along. So it travels
    /// on in a cookie of its own with a redirect, which browsers follow with the cookies of a
    /// visit.
    @Sendable private func pass(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard form["code"].utf8.count <= 1024, form["state"].utf8.count <= 128, form["error"].utf8.count <= 64 else {
            return try failures.response(.rejected("the answer is too large"), provider, context)
        }
        let answer = ProviderAnswer(
            state: form["state"], code: form.holds("code") ? form["code"] : nil,
            error: form.holds("error") ? form["error"] : nil, name: AppleUser.name(form["user"])
        )
        return seeOther(path).setting(try cookie.set(.answer(answer)))
    }

    @Sendable private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let flow = cookie.flow(request)
        let answer = provider.settings.isApple ? cookie.answer(request) : answer(request)
        do {
            guard let answer else { throw ProviderFault.rejected("a callback without an answer") }
            let outcome = try await rule.finish(
                flow, answer, provider, record: context.record, visitor: context.visitor)
            return try response(to: outcome, request).setting(cookie.clear(.answer))
        } catch let fault as ProviderFault {
            // What somebody else answers is told on the page for that.
            let own = flow?.state == answer?.state ? flow : nil
            let response = try failures.response(fault, provider, page: own?.page, returnTo: own?.returnTo, context)
                .setting(cookie.clear(.answer))
            // Somebody who was vouched for already, and reloads, goes on from there.
            guard cookie.pending(request, now: web.now()) == nil else {
                return seeOther("/auth/continue").setting(cookie.clear(.answer))
            }
            // What this browser began goes on when somebody answers something else.
            guard let flow, flow.state == answer?.state else { return response }
            return response.setting(cookie.clear(.flow))
        }
    }

    private func answer(_ request: Request) -> ProviderAnswer {
        let query = request.uri.queryParameters
        return ProviderAnswer(
            state: query.get("state") ?? "", code: query.get("code"), error: query.get("error"),
            issuer: query.get("iss")
        )
    }

    private func response(to outcome: ProviderSignIn.Outcome, _ request: Request) throws -> Response {
        switch outcome {
        case .entered(let outcome): web.answer(outcome, request).setting(cookie.clear(.flow))
        case .linked: try web.say(.identityAdded, on: AccountSection.security.path).setting(cookie.clear(.flow))
        case .linkedElsewhere:
            try web.say(.identityElsewhere, on: AccountSection.security.path).setting(cookie.clear(.flow))
        case .proved(let renewed, let returnTo):
            web.renewed(renewed, try web.say(.confirmed, on: web.returnTo.destination(returnTo))).setting(
                cookie.clear(.flow))
        case .occupied: try web.say(.signedInAlready, on: AccountSection.profile.path).setting(cookie.clear(.flow))
        case .cancelled(nil): seeOther("/")
        case .cancelled(let flow?):
            seeOther(
                flow.purpose == .signIn(replacing: nil)
                    ? web.link("/", returnTo: flow.returnTo)
                    : AccountSection.security.path
            )
            .setting(cookie.clear(.flow))
        case .pending(let pending): seeOther("/auth/continue").setting(try cookie.set(.pending(pending)))
        }
    }
}

extension Notice {
    static let providerFailed = Notice("provider_failed", .problem)
    static let identityAdded = Notice("identity_added", .saved)
    static let identityElsewhere = Notice("identity_elsewhere", .problem)
    static let signedInAlready = Notice("signed_in_already", .note)
}
