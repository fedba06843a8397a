/// Keeps nothing beyond the life of the client: for tests, and for programs that sign in anew at
/// each start.
public struct MemoryTokenStore: TokenStore {
    /// A store that is empty at each start.
    public init() {}

    /// Always nil: the client itself holds the token while it runs.
    public func load() -> Secret? { nil }

    /// Does nothing.
    public func keep(_ token: Secret?) {}
}
