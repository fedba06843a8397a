import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// The node is noted in the same transaction: the next one to start knows that it may have
    /// taken mails.
    package func releaseMails(startedBy node: Node, now: Date) async throws {
        try await write { connection in
            let other = try connection.one(
                "SELECT 1 FROM nodes WHERE id <> $1 AND last_seen_at > $2 AND last_seen_at <= $3 LIMIT 1",
                [node.id, now.addingTimeInterval(-Node.silentAfter).ms, now.addingTimeInterval(Node.silentAfter).ms])
            try note(node, now, connection)
            guard other == nil else { return }
            try freeMails(besides: node, connection)
        }
    }
}
