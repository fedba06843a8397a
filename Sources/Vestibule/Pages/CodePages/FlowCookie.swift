import Essentials
import Hummingbird
import Serving

extension Web {
    var flows: FlowCookie { FlowCookie(cookies: cookies) }
}

/// The pending flows of a browser, at most one of a kind, in the one cookie of contract section 8:
/// a letter for the kind before each handle. So a forgotten password in one tab does not end a
/// sign-up in another.
struct FlowCookie: Sendable {
    let cookies: SiteCookies
    /// A browser that begins more gives the oldest ones up.
    private static let atMost = 8

    func flow(_ kind: CodeFlowKind, in request: Request) -> Token? {
        flows(in: request).first { $0.letter == kind.letter }?.token
    }

    /// Keeps that flow, or with `nil` none of its kind; those of other kinds go on.
    func set(_ kind: CodeFlowKind, _ flow: Token?, in request: Request) -> Cookie {
        let others = flows(in: request).filter { $0.letter != kind.letter }
        let flows = (flow.map { [(letter: kind.letter, token: $0)] } ?? []) + others
        guard !flows.isEmpty else { return cookies.clear(.flow) }
        let parts = flows.prefix(Self.atMost).map { "\($0.letter)\($0.token.text)" }
        return cookies.set(.flow, parts.joined(separator: "."))
    }

    /// The newest first.
    private func flows(in request: Request) -> [(letter: String, token: Token)] {
        let parts = (cookies.value(.flow, in: request) ?? "").parts(by: ".").prefix(Self.atMost)
        return parts.compactMap { part in
            guard let letter = part.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else {
                return nil
            }
            let name = String(UnicodeScalar(letter))
            return part.after(name).flatMap { Token(presented: String($0)) }.map { (name, $0) }
        }
    }
}
