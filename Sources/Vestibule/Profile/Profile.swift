/// The name a person wants to be called.
struct Profile: Sendable {
    let store: any ProfileStore
    let audit: Audit

    /// Sets it. Returns it as it is kept; throws `Refusal` for text that is not a name.
    func rename(_ account: Account, to typed: String, visitor: Visitor) async throws -> DisplayName {
        let name = try DisplayName(typed)
        let event = audit.event(.profileChanged, accountID: account.id, visitor: visitor)
        try await store.rename(to: name.text, accountID: account.id, event: event)
        audit.log(event, visitor: visitor)
        return name
    }
}
