package import Foundation

/// Those who want to hear of each new state.
package struct SessionListeners: Sendable {
    private var listeners: [UUID: AsyncStream<SessionState>.Continuation] = [:]

    package init() {}

    /// Tells one the present state, and each that comes; `forget` is called when it stops
    /// listening.
    package mutating func add(
        _ listener: AsyncStream<SessionState>.Continuation, hearing state: SessionState,
        forget: @escaping @Sendable (UUID) -> Void
    ) {
        let id = UUID()
        listeners[id] = listener
        listener.onTermination = { _ in forget(id) }
        listener.yield(state)
    }

    package mutating func remove(_ id: UUID) {
        listeners[id] = nil
    }

    package func tell(_ state: SessionState) {
        for listener in listeners.values { listener.yield(state) }
    }

    package func finish() {
        for listener in listeners.values { listener.finish() }
    }
}
