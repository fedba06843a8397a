import Essentials
import Logging

/// Tells the operator of requests to applications that were refused: a line in the log and an
/// event, both of as many as are written of any warning. Neither holds what the visitor showed.
struct EntryRefusals: Sendable {
    let audit: Audit
    let store: any CredentialStore
    let key: SecretKey

    /// Of somebody in none of the application's groups; `place` names the application.
    func noteEntry(
        of accountID: AccountID, at place: [String: String], from peer: ClientAddress, visitor: Visitor
    ) async {
        await note(.entryRefused, of: accountID, place.mapValues { "\($0)" }, from: peer, visitor: visitor)
    }

    /// Never throws: the refusal stands.
    func note(
        _ kind: SecurityEvent.Kind, of accountID: AccountID? = nil, _ metadata: Logger.Metadata,
        from peer: ClientAddress, visitor: Visitor
    ) async {
        let whose: Logger.Metadata = accountID.map { ["account": "\($0.rawValue)"] } ?? [:]
        let common: Logger.Metadata = ["peer": "\(peer)", "request_id": "\(visitor.requestID)"]
        // Of a question that cannot be believed the proxy that asked is the source.
        let source = accountID == nil ? peer : visitor.client
        let isWritten = audit.write(
            kind.logLevel, kind.logName, from: source.description,
            metadata.merging(whose) { $1 }.merging(common) { $1 })
        guard isWritten else { return }
        let event = audit.event(kind, accountID: accountID, visitor: visitor)
        // Counts by itself, and so keeps nobody out.
        let counter = Array(key.mac(.limit, Array("\(kind.name) \(accountID?.rawValue ?? "")".utf8)).prefix(16))
        do {
            try await store.loginFailed(failuresKey: counter, event: event)
        } catch {
            audit.logger.warning("event not kept", metadata: ["error": "\(error)"])
        }
    }
}

extension SecurityEvent.Kind {
    /// Somebody is in none of the application's groups.
    static let entryRefused = Self("entry_refused", log: "entry_refused", .warning)
    /// The token of a machine opens nothing there.
    static let tokenRefused = Self("token_refused", log: "token_refused", .warning)
    /// A question that is forged or cannot be read, or about what no application has.
    static let verdictRefused = Self("verdict_refused", log: "verdict_refused", .warning)
}
