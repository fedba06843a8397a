import Essentials
import Foundation
import Hummingbird
import Serving

/// `/auth/{provider}/callback` ends what `/auth/{provider}` began.
struct ProviderRoutes {
    let provider: Provider
    let rule: ProviderSignIn
    let changed: FactorChangeAnswer
    let web: Web

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
            return try web.failed(.rejected("the answer is too large"), provider, context)
        }
        let answer = ProviderAnswer(
            state: form["state"], code: form.holds("code") ? form["code"] : nil,
            error: form.holds("error") ? form["error"] : nil, name: AppleUser.name(form["user"])
        )
        return seeOther(path).setting(try web.auth.set(.answer(answer)))
    }

    @Sendable private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let flow = web.auth.flow(request)
        let answer = provider.settings.isApple ? web.auth.answer(request) : answer(request)
        do {
            guard let answer else { throw ProviderFault.rejected("a callback without an answer") }
            let outcome = try await rule.finish(
                flow, answer, provider, record: context.record, visitor: context.visitor)
            return try await response(to: outcome, of: flow, request, context).setting(web.cookies.clear(.authAnswer))
        } catch let fault as ProviderFault {
            // What somebody else answers is told on the page for that.
            let own = flow?.state == answer?.state ? flow : nil
            let response = try web.failed(
                fault, provider, of: own?.purpose, page: own?.page, returnTo: own?.returnTo, context
            ).setting(web.cookies.clear(.authAnswer))
            // What this browser began ends; it goes on when somebody answers something else.
            if let own { return ending(own, response, request) }
            // Somebody who was vouched for already, and reloads, goes on from there.
            guard web.auth.pending(request, now: web.now()) == nil else {
                return seeOther(ContinueRoutes.path).setting(web.cookies.clear(.authAnswer))
            }
            // Somebody who is signed in and reloads, or whose flow another tab has ended: there the
            // ways in are listed, whether it worked or not.
            guard flow == nil, answer?.error == nil, context.session != nil else { return response }
            return seeOther(AccountSection.security.path).setting(web.cookies.clear(.authAnswer))
        }
    }

    private func answer(_ request: Request) -> ProviderAnswer {
        let query = request.uri.queryParameters
        return ProviderAnswer(
            state: query.get("state") ?? "", code: query.get("code"), error: query.get("error"),
            issuer: query.get("iss")
        )
    }

    private func response(
        to outcome: ProviderSignIn.Outcome, of flow: AuthFlow?, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let response: Response
        switch outcome {
        case .pending(var pending):
            // From the question to the same button again: the wish is that of the first answer.
            if web.leadsToQuestion(pending.returnTo) {
                pending.returnTo = web.auth.pending(request, now: web.now())?.returnTo
            }
            return seeOther(ContinueRoutes.path).setting(try web.auth.set(.pending(pending))).setting(
                web.cookies.clear(.auth))
        case .cancelled(nil): return seeOther("/")
        case .cancelled(let flow?):
            let page = web.leadsToQuestion(flow.returnTo) ? ContinueRoutes.path : AccountSection.security.path
            response = seeOther(flow.purpose.isSignIn ? web.link("/", returnTo: flow.returnTo) : page)
        case .entered(let outcome): response = try web.answer(outcome, request)
        case .linked(let outcome): response = try await changed.say(outcome, SignedInContext(context: context))
        case .proved(let renewed, let returnTo):
            response = web.renewed(renewed, try web.say(.confirmed, on: web.returnTo.destination(returnTo)))
        // It does not lead to the question, whatever the flow wished.
        case .occupied: return ending(nil, try web.say(.signedInAlready, on: AccountSection.profile.path), request)
        }
        return ending(flow, response, request)
    }

    /// The same response, after which the flow is over. Whom another provider has vouched for is
    /// kept only if the flow leads to the page that asks whether to connect them: at any other, who
    /// comes later would be asked about somebody else's.
    private func ending(_ flow: AuthFlow?, _ response: Response, _ request: Request) -> Response {
        let response = response.setting(web.cookies.clear(.auth))
        guard !web.leadsToQuestion(flow?.returnTo), web.cookies.value(.authPending, in: request) != nil else {
            return response
        }
        return response.setting(web.cookies.clear(.authPending))
    }
}

extension Notice {
    static let providerFailed = Notice("provider_failed", .problem)
    static let providerNotAsked = Notice("provider_not_asked", .problem)
    static let providerNotDated = Notice("provider_not_dated", .problem)
    static let identityAdded = Notice("identity_added", .saved)
    static let identityElsewhere = Notice("identity_elsewhere", .problem)
    static let signedInAlready = Notice("signed_in_already", .note)
}

extension FactorChangeAnswer {
    /// What became of an identity that was to be added: on to `returnTo` where that is allowed, or
    /// said on the page of security.
    func say(
        _ outcome: IdentityLinking.Outcome, returnTo: String? = nil, _ context: SignedInContext
    ) async throws -> Response {
        guard case .linked(let token) = outcome else {
            return try web.say(.identityElsewhere, on: AccountSection.security.path)
        }
        guard web.returnTo.granted(returnTo) != nil else {
            return try await say(.identityAdded, on: AccountSection.security.path, token, context)
        }
        let destination = seeOther(web.returnTo.destination(returnTo))
        return token.map { web.renewed(context.session, $0, destination) } ?? destination
    }
}

/// What Apple says of a person beside the token, once and unsigned: only the name is looked at,
/// never the address.
struct AppleUser: Decodable {
    private struct Name: Decodable {
        let firstName: String?
        let lastName: String?
    }

    private let name: Name?
    private static let bytesAtMost = 4096

    /// The name as one line; `nil` when there is none that could be shown.
    static func name(_ json: String) -> String? {
        guard json.utf8.count <= bytesAtMost,
            let user = try? JSONDecoder().decode(AppleUser.self, from: Data(json.utf8))
        else { return nil }
        let parts = [user.name?.firstName, user.name?.lastName].compactMap { $0?.trimmingSpaces }
        return try? DisplayName(parts.filter { !$0.isEmpty }.joined(separator: " ")).text
    }
}

extension Web {
    /// Whether it is the page that asks whether to connect whom another provider has vouched for.
    fileprivate func leadsToQuestion(_ wish: String?) -> Bool {
        returnTo.destination(wish) == ContinueRoutes.path
    }

    /// After a sign-in through a provider that did not work out: what the person can do there, or
    /// one sentence for every other cause, on the page one came from, which keeps where one wanted
    /// to go. The log says which.
    func failed(
        _ fault: ProviderFault, _ provider: Provider, of purpose: AuthFlow.Purpose? = nil, page: AuthFlow.Page? = nil,
        returnTo: String? = nil, _ context: AppContext
    ) throws -> Response {
        let name = provider.settings.name
        audit.log(fault, provider: name, visitor: context.visitor)
        let origin =
            switch context.session {
            case nil: link((page ?? .login).rawValue, returnTo: returnTo)
            // The page that asks somebody who is signed in before it begins.
            case _? where purpose?.isSignIn == true && returnTo != nil: link("/auth/\(name)", returnTo: returnTo)
            case _? where leadsToQuestion(returnTo): ContinueRoutes.path
            case _?: AccountSection.security.path
            }
        let notice: Notice =
            switch fault {
            case .notAskedAgain: .providerNotAsked
            case .notDated: .providerNotDated
            default: .providerFailed
            }
        let flash = Flash(notice, values: ["provider": provider.settings.label])
        return try say(flash, on: origin)
    }
}
