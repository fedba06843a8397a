import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule nodes`
struct NodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "List the servers that share the database.",
        discussion: "One that was killed is listed as silent for a day."
    )

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let now = Date()
            var listing = Listing<NodeRow>(json: options.json)
            try listing.add(try await session.store.nodes().map { NodeRow($0, now: now) })
        }
    }
}

/// A node in a listing.
private struct NodeRow: ListedRow {
    let id, name, version: String
    /// `serving`, or `silent` when it has not told for a minute and a half.
    let state: String
    let startedAt, lastSeenAt: Date
    /// Ids of its secret keys; nil if it has not told, or has no previous one.
    let key, previousKey: String?

    init(_ record: NodeRecord, now: Date) {
        (id, name, version) = (record.node.id, record.node.name, record.node.version)
        (startedAt, lastSeenAt) = (record.node.startedAt, record.lastSeenAt)
        key = record.node.keys.map { Hex.text($0.current) }
        previousKey = record.node.keys?.previous.map { Hex.text($0) }
        state = record.isServing(at: now) ? "serving" : "silent"
    }

    static let columns = ["NAME", "VERSION", "STATE", "STARTED (UTC)", "LAST SEEN", "KEY", "PREVIOUS KEY"]

    var cells: [String] { [name, version, state, startedAt.utc, lastSeenAt.utc, key ?? "", previousKey ?? ""] }
}
