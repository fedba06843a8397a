import Hummingbird
import Serving

/// What the pages that ask for a code have in common.
extension Web {
    /// How many tries are left, once one was used.
    func tries(_ pending: PendingCode, _ context: some VisitorContext) -> Values {
        guard pending.attempts > 0 else { return [:] }
        let locale = context.visitor.locale
        return ["tries": pages.templates.sentence("verify.tries", count: pending.triesLeft, locale: locale)]
    }

    /// The page of a flow without tries: all that still works is to begin again at `start`.
    func spent(_ start: String, with values: Values = [:], _ context: some VisitorContext) throws -> Response {
        try pages.render("over", values.merging(["url": start]) { $1 }, context)
    }

    /// The same page, in answer to a form: the last wrong code, or one that came too late.
    func spent(
        _ error: any Error, _ start: String, with values: Values = [:], _ request: Request,
        _ context: some VisitorContext
    ) throws -> Response {
        let refused = RefusedForm(error, ids: [:], otherwise: "main", self, request, context)
        guard let refused else { throw error }
        return try refused.page("over", values.merging(["url": start]) { $1 }, context)
    }
}

extension Notice {
    static let flowExpired = Notice("flow_expired", .problem, offersRestart: true)
    static let flowUnknown = Notice("flow_unknown", .problem, offersRestart: true)
    static let codeSentAgain = Notice("code_sent_again", .done)
    static let newCode = Notice("new_code", .note)
    static let linkLost = Notice("link_lost", .problem)
}

extension Web {
    /// To the form that begins a flow again, with what was typed; says whether this browser ever
    /// had the flow. Somebody who is signed in and has none went back after the end of it, and goes
    /// home.
    func startOver(
        _ kind: CodeFlowKind, at page: String, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let hadFlow = flows.flow(kind, in: request) != nil
        if let record = context.record, !hadFlow { return try home(record.session, wish: nil) }
        let start = link(page, returnTo: typed.typed(in: request)?.returnTo)
        guard hadFlow else { return try sayCookieMissing(.flowUnknown, on: start, request, context) }
        return try say(.flowExpired, on: start).setting(flows.set(kind, nil, in: request))
    }
}
