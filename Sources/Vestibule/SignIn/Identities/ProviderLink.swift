/// What a link that begins a round trip to a provider is marked for, so that only a page of that
/// session can hold it.
enum ProviderLink {
    /// Adds the provider as a way in.
    static func adding(_ provider: String) -> String { "add \(provider)" }

    /// Proves again who is signed in.
    static func proving(_ provider: String) -> String { "prove \(provider)" }
}
