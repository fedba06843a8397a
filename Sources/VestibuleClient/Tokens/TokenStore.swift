/// Keeps the token of a session from one start of the app to the next.
public protocol TokenStore: Sendable {
    /// The token kept last; nil if there is none. Throws if that cannot be told at the moment.
    func load() throws -> Secret?
    /// Keeps a token in the place of the one before; nil removes it. Throws if that did not work.
    func keep(_ token: Secret?) throws
}
