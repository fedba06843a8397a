import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// A request that a proxy hands over from an application's host: `/.vestibule/…`.
struct ApplicationHost: Sendable {
    let application: ProtectedApplication
    let origin: Origin
    let cookies: SiteCookies
    /// Whether the sign-in has the same origin, so that its own cookie comes back here.
    let isPublicOrigin: Bool

    var cookie: ApplicationCookie { ApplicationCookie(at: origin, isPublicOrigin: isPublicOrigin) }
}

/// Finds the application that a request came to.
struct ApplicationHosts: Sendable {
    let applications: Applications
    let proxies: ClientAddressFinder
    let publicOrigin: Origin
    private static let forwardedHost = HTTPField.Name("X-Forwarded-Host")
    private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")

    /// Throws `HTTPError` 400 for an unreadable host, and `HandOverProblem` for a peer that is no
    /// trusted proxy and for a host that is no application's or not the browser's.
    func host(_ request: Request, _ context: some VisitorContext) throws -> ApplicationHost {
        guard proxies.isTrusted(context.peer) else { throw HandOverProblem.untrusted }
        let origin = try origin(request)
        if let application = applications.application(at: origin) {
            return ApplicationHost(
                application: application, origin: origin, cookies: SiteCookies(publicURL: origin),
                isPublicOrigin: origin == publicOrigin)
        }
        let other = Origin(scheme: origin.isSecure ? "http" : "https", authority: origin.authority)
        guard let other, applications.application(at: other) != nil else {
            throw HandOverProblem.unknownHost(origin.text)
        }
        throw HandOverProblem.otherScheme(expected: other)
    }

    /// `Host` is the browser's; a proxy that changes it is told so.
    private func origin(_ request: Request) throws -> Origin {
        let hosts = Self.forwardedHost.map { request.headers[values: $0] } ?? []
        let schemes = Self.forwardedProto.map { request.headers[values: $0] } ?? []
        guard let authority = request.head.authority, hosts.count <= 1, schemes.count <= 1,
            let origin = Origin(scheme: schemes.first ?? "http", authority: authority)
        else { throw HTTPError(.badRequest) }
        if let host = hosts.first, host.asciiLowercased != authority.asciiLowercased {
            throw HandOverProblem.hostChanged(from: host.showable(atMost: 200), to: authority)
        }
        return origin
    }
}

/// The cookie that opens an application at an origin: at that of the sign-in its own, elsewhere one
/// of that host.
struct ApplicationCookie: Sendable {
    private let cookies: SiteCookies
    private let kind: SiteCookies.Kind

    init(at origin: Origin, isPublicOrigin: Bool) {
        cookies = SiteCookies(publicURL: origin)
        kind = isPublicOrigin ? .session : .application
    }

    /// Nil if the browser brought none.
    func token(in headers: HTTPFields) -> Token? {
        cookies.value(kind, in: headers).flatMap(Token.init(presented:))
    }

    /// The same, of a proxy's question.
    func token(in fields: QuestionFields) -> Token? {
        cookies.value(kind, in: fields).flatMap(Token.init(presented:))
    }
}
