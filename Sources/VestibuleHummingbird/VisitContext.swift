public import Hummingbird
public import VestibuleVerifier

/// The context of a request to an application behind the door.
public struct VisitContext: IdentityContext {
    /// What Hummingbird keeps of the request.
    public var coreContext: CoreRequestContextStorage
    /// Set by ``AssertionMiddleware``.
    public var verifiedIdentity: Identity?

    /// The context of a request that nobody has looked at.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
