import Hummingbird

extension Web {
    /// To the form that begins a flow again, with what was typed; says whether this browser ever had the flow. Somebody
    /// who is signed in and has none went back after the end of it, and goes home.
    func startOver(
        _ kind: FlowCookie.Kind, at page: String, _ request: Request, _ context: AppContext
    ) throws -> Response {
        if let record = context.session, flows.flow(kind, in: request) == nil {
            return seeOther(home(record.session, wish: nil))
        }
        let notice: Notice = flows.flow(kind, in: request) == nil ? .flowUnknown : .flowExpired
        return try say(notice, on: link(page, returnTo: typed.typed(in: request)?.returnTo))
            .setting(flows.set(kind, nil, in: request))
    }
}
