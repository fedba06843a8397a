import Hummingbird
import Serving

extension Web {
    /// To the form that begins a flow again, with what was typed; says whether this browser ever
    /// had the flow. Somebody who is signed in and has none went back after the end of it, and goes
    /// home.
    func startOver(
        _ kind: CodeFlowKind, at page: String, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let hadFlow = flows.flow(kind, in: request) != nil
        if let record = context.record, !hadFlow { return seeOther(home(record.session, wish: nil)) }
        let start = link(page, returnTo: typed.typed(in: request)?.returnTo)
        return try say(hadFlow ? .flowExpired : .flowUnknown, on: start)
            .setting(flows.set(kind, nil, in: request))
    }
}
