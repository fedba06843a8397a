import AsyncAlgorithms
import Foundation
import Logging
import ServiceLifecycle

/// Tells the store that this node serves, twice a minute, and that it has stopped.
struct NodePresence: Service, CustomStringConvertible {
    let store: any NodeStore
    let node: Node
    let logger: Logger
    let audit: Audit
    let now: @Sendable () -> Date
    /// For the log, which would print every part otherwise.
    var description: String { "NodePresence" }
    private static let interval: Duration = .seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: Set<String> = []
            await note(&told)
            for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous) { await note(&told) }
        }
        // Without, its row tells for a minute and a half of a node that is gone.
        try? await store.removeNode(id: node.id)
    }

    /// Once. Says no more of the nodes in `told`.
    func note(_ told: inout Set<String>) async {
        do {
            try await store.noteNode(node, now: now())
            audit.noteStoreWorks()
            try await compareKeys(&told)
            logger.debug("node noted")
        } catch is CancellationError {
            // The server stops.
        } catch {
            logger.debug("the node cannot be noted", metadata: ["error": "\(error)"])
        }
    }

    /// Logs the others that seal what this node cannot open, each once.
    private func compareKeys(_ told: inout Set<String>) async throws {
        guard let keys = node.keys else { return }
        for other in try await store.nodes().unknown(to: keys, at: now()) where told.insert(other.id).inserted {
            logger.error(
                "another node works with a secret key that this one does not know",
                metadata: [
                    "event": "node_key_unknown", "other": "\(other.name)",
                    "hint": "give both the same VESTIBULE_SECRET_KEY, or theirs as VESTIBULE_SECRET_KEY_PREVIOUS",
                ])
        }
    }
}
