import Essentials
import Hummingbird
import Serving

/// The pending flows of a browser, at most one of a kind, in the one cookie of contract section 8: a letter for the kind before
/// each handle. So a forgotten password in one tab does not end a sign-up in another.
struct FlowCookie: Sendable {
    /// What a flow is for.
    enum Kind: String, CaseIterable {
        case signup = "s"
        case reset = "r"
        case emailChange = "e"
        case emailUndo = "u"
    }

    let cookies: SiteCookies

    func flow(_ kind: Kind, in request: Request) -> Token? {
        flows(in: request)[kind]
    }

    /// Keeps that flow, or with `nil` none of its kind; those of other kinds go on.
    func set(_ kind: Kind, _ flow: Token?, in request: Request) -> Cookie {
        var flows = flows(in: request)
        flows[kind] = flow
        guard !flows.isEmpty else { return cookies.clear(.flow) }
        let parts = Kind.allCases.compactMap { kind in flows[kind].map { "\(kind.rawValue)\($0.text)" } }
        return cookies.set(.flow, parts.joined(separator: "."))
    }

    private func flows(in request: Request) -> [Kind: Token] {
        let parts = (cookies.value(.flow, in: request) ?? "").parts(by: ".").prefix(Kind.allCases.count)
        let flows = parts.compactMap { part -> (Kind, Token)? in
            guard let kind = Kind.allCases.first(where: { part.begins(with: $0.rawValue) }),
                let token = part.after(kind.rawValue).flatMap({ Token(presented: String($0)) })
            else { return nil }
            return (kind, token)
        }
        return Dictionary(flows) { first, _ in first }
    }
}
