public import Hummingbird
public import VestibuleVerifier

/// A request context in which ``AssertionMiddleware`` leaves who sent the request. Without one of
/// your own use ``VisitContext``.
public protocol IdentityContext: RequestContext {
    /// Set by the middleware; nil before. Routes read `identity`.
    var verifiedIdentity: Identity? { get set }
}

extension IdentityContext {
    /// Who sent the request. Throws `HTTPError` with 401 if no middleware has verified that.
    public var identity: Identity {
        get throws {
            guard let verifiedIdentity else { throw HTTPError.identityMissing }
            return verifiedIdentity
        }
    }
}

extension HTTPError {
    /// 401 with a challenge (RFC 9110 section 11.6.1).
    static var identityMissing: HTTPError { HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"]) }
}
