package import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    package static var hasStandby: Bool { true }

    package func accountOverview(accountID: AccountID, events: Int, now: Date) async throws -> AccountOverview {
        try await read { try readOverview(accountID, events, now, $0) }
    }

    package func touchSession(id: SessionID, at now: Date) async throws {
        try await write(.relaxed) { try touch(id, now, $0) }
        changes.didCommit()
    }

    package func erase(_ erasure: AccountErasure) async throws -> Bool {
        try await write { try erase(erasure, $0) }
    }
}
