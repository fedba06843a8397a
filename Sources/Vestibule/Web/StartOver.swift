import Hummingbird

extension Web {
    /// To the form that begins a flow again, with what was typed; says whether this browser ever had the flow.
    func startOver(_ kind: FlowCookie.Kind, at page: String, _ request: Request) throws -> Response {
        let notice: Notice = flows.flow(kind, in: request) == nil ? .flowUnknown : .flowExpired
        return try say(notice, on: link(page, returnTo: typed.typed(in: request)?.returnTo))
            .setting(flows.set(kind, nil, in: request))
    }
}
