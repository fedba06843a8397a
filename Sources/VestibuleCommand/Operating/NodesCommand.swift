import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule nodes`
struct NodesCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "List the servers that share the database.",
        discussion: "One that was killed is listed as silent for a day."
    )

    @OptionGroup var options: OperatorOptions

    func run(_ session: OperatorSession) async throws {
        try session.list(try await session.store.nodes())
    }
}

extension NodeRecord: Listed {
    static let columns: [Column<Self>] = [
        Column(nil, "id") { $0.node.id }, Column("NAME", "name") { $0.node.name },
        Column("VERSION", "version") { $0.node.version },
        // Silent when it has not told for a minute and a half.
        Column("STATE", "state") { $0.isServing(at: Date()) ? "serving" : "silent" },
        Column("STARTED (UTC)", "started_at") { $0.node.startedAt },
        Column("LAST SEEN", "last_seen_at") { $0.lastSeenAt },
        // Absent if it has not told, or has no previous one.
        Column("KEY", "key", none: "") { $0.node.keys.map { Hex.text($0.current) } },
        Column("PREVIOUS KEY", "previous_key", none: "") { $0.node.keys?.previous.map { Hex.text($0) } },
    ]
}
