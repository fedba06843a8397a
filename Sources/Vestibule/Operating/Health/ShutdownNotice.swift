import Synchronization

/// Given once the server was told to stop and goes on serving for a while: then its health is bad,
/// so that proxies which ask for it send requests elsewhere, or keep them waiting.
package final class ShutdownNotice: Sendable {
    private let given = Atomic(false)

    package var isGiven: Bool { given.load(ordering: .relaxed) }

    package func give() {
        given.store(true, ordering: .relaxed)
    }
}
