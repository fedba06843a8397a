import Essentials
import Foundation

/// Hands an account's owner everything that is held about it.
struct AccountExporter: Sendable {
    let store: any AccountExportStore
    let kinds: FactorKinds
    let limits: RateLimits
    let audit: Audit

    /// The file; nil when there is no such account any more. Throws `Superseded`
    /// and `Refusal.limited`.
    func file(for record: SessionRecord, visitor: Visitor) async throws -> Data? {
        let (now, account) = (audit.now(), record.account)
        try await limits.take(.export, LimitSubject(client: visitor.client, account: account.id), now: now)
        guard let export = try await store.export(accountID: account.id, now: now) else { return nil }
        let json = try await offEventLoop {
            Result { try export.json(at: now, factors: kinds.facts(of: export.factors, inExport: true)) }
        }.get()
        let event = audit.event(.exported, accountID: account.id, visitor: visitor)
        try await store.noteExport(by: record.presented, event: event)
        audit.log(event, visitor: visitor)
        return json
    }
}

extension SecurityEvent.Kind {
    static let exported = Self("exported", log: "sensitive_read")
}
