import Essentials
import HTTPTypes
import Serving

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
