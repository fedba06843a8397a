import AsyncAlgorithms
import Foundation
import Logging
import ServiceLifecycle

/// Tells the store that this node serves, twice a minute, and that it has stopped.
struct NodePresence: Service, CustomStringConvertible {
    let store: any NodeStore
    let node: Node
    let logger: Logger
    let now: @Sendable () -> Date
    /// For the log, which would print every part otherwise.
    var description: String { "NodePresence" }
    private static let interval: Duration = .seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await note()
            for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous) { await note() }
        }
        // Without, its row tells for a minute and a half of a node that is gone.
        try? await store.removeNode(id: node.id)
    }

    private func note() async {
        do {
            try await store.noteNode(node, now: now())
        } catch is CancellationError {
            // The server stops.
        } catch {
            logger.debug("the node cannot be noted", metadata: ["error": "\(error)"])
        }
    }
}
