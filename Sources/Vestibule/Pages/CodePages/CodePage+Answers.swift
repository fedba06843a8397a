import Essentials
import Hummingbird
import Serving

extension CodePage {
    func add(to routes: some RouterMethods<Context>) {
        let path = place.path
        routes.get(RouterPath(path), use: show)
        routes.post(RouterPath(path), use: submit)
        routes.post(RouterPath(place.resend), use: sendAgain)
        // A refused request for another code is shown at this URL: reloading it or changing the
        // language leads back.
        routes.get(RouterPath(place.resend)) { _, _ in seeOther(path) }
    }

    func flow(_ request: Request) -> Token? {
        web.flows.flow(place.kind, in: request)
    }

    /// The cookie without the flow.
    func forgotten(_ request: Request) -> Cookie {
        web.flows.set(place.kind, nil, in: request)
    }

    @Sendable private func show(_ request: Request, _ context: Context) async throws -> Response {
        guard let pending = try await pending(request, context) else { return try unknown(request, context) }
        guard !isSpent(pending) else {
            let (url, values) = beginning(pending)
            return try web.spent(url, with: values, context)
        }
        var values = shown(pending, nil, context)
        if awaitsCode(pending) { values["notice"] = web.pages.sentence("notice.code_sent", context) }
        return try web.pages.render(place.template, values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context) { pending, form in
            try await redeem(pending, form, request, context)
        }
    }

    @Sendable private func sendAgain(_ request: Request, _ context: Context) async throws -> Response {
        try await answer(request, context, unless: { !awaitsCode($0) || isSpent($0) }) { pending, _ in
            guard try await resend(pending, context) else { return seeOther(place.path) }
            return try web.say(.codeSentAgain, on: place.path)
        }
    }

    /// What `act` says of a form that was sent, or the form again when that was refused. A flow
    /// that is over for it leads to its page, which says so.
    private func answer(
        _ request: Request, _ context: Context, unless isOver: (Flow) -> Bool = { _ in false },
        _ act: (Flow, Form) async throws -> Response
    ) async throws -> Response {
        let sent = try await sent(request, context)
        guard let pending = try await pending(request, context) else { return try startOver(request, context) }
        guard !isOver(pending) else { return seeOther(place.path) }
        do {
            return try await act(pending, try sent.checked())
        } catch {
            return try await page(error, pending, sent.form, request, context)
        }
    }

    private func isSpent(_ pending: Flow) -> Bool {
        awaitsCode(pending) && pending.code.isSpent
    }

    private func shown(_ pending: Flow, _ form: Form?, _ context: Context) -> Values {
        values(pending, form, context).merging(web.tries(pending.code, context)) { $1 }
    }

    private func page(
        _ error: any Error, _ pending: Flow, _ form: Form, _ request: Request, _ context: Context
    ) async throws -> Response {
        let refused = RefusedForm(error, ids: place.ids, otherwise: place.codeID, web, request, context)
        guard let refused else { throw error }
        if let other = try answer(refused, pending, request, context) { return other }
        // It may have been the last try.
        guard let after = try await self.pending(request, context) else { return seeOther(onward) }
        guard !isSpent(after) else {
            let (url, values) = beginning(after)
            return try web.spent(error, url, with: values, request, context)
        }
        var values = shown(after, form, context)
        for name in place.ids.keys {
            values[name] = refused.field(name, value: name == "code" ? form["code"] : nil)
        }
        return try refused.page(place.template, values, context)
    }
}
