import NIOCore

/// Turns of connections on one event loop that sent requests before the answer to an earlier one: a
/// few work at a time, the others wait in line, so that a client that waits for its answers meets
/// little more than its own work.
final class PipelineTurns {
    static let atOnce = 2
    private let loop: any EventLoop
    private var working = 0
    private var line: CircularBuffer<PipelineGate> = []

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// `goOn` of the gate is called when its turn comes, never at once.
    func join(_ gate: PipelineGate) {
        line.append(gate)
        startNext()
    }

    /// A gate that had its turn has done its work, or is closed.
    func leave() {
        working -= 1
        startNext()
    }

    private func startNext() {
        guard working < Self.atOnce, let next = line.popFirst() else { return }
        working += 1
        // What others have sent meanwhile is read first.
        loop.assumeIsolated().execute { next.goOn() }
    }
}
