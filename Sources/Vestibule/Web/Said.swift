import Hummingbird

extension Web {
    /// What a redirect has to say on this page, in the visitor's language: an error box where
    /// something failed, otherwise a notice; `restart` where a flow has ended and the form begins
    /// it again.
    func said(_ request: Request, _ context: AppContext) -> Values {
        guard let kind = Notice(request), let sentence = notice(request, context) else { return [:] }
        switch kind {
        case .providerFailed: return ["problems": [["id": "main", "sentence": sentence, "is_whole": true] as Values]]
        case .flowExpired, .flowUnknown: return ["notice": sentence, "restart": true]
        default: return ["notice": sentence]
        }
    }

    /// To the form that begins a flow again, with what was typed; says whether this browser ever
    /// had the flow.
    func startOver(_ kind: FlowCookie.Kind, at page: String, _ request: Request) -> Response {
        let notice: Notice = flows.flow(kind, in: request) == nil ? .flowUnknown : .flowExpired
        let location = link("\(page)?notice=\(notice.rawValue)", returnTo: typed.typed(in: request)?.returnTo)
        return seeOther(location).setting(flows.set(kind, nil, in: request))
    }
}
