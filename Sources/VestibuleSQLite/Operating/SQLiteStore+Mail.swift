package import Foundation
import NIOPosix
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    /// The kernel knows better than a table which nodes there are: one that was killed counts no
    /// more.
    package func releaseMails(startedBy node: Node, now: Date) async throws {
        let isAlone = self.node?.isAlone() ?? true
        do {
            if isAlone { try await write { try freeMails(besides: node, $0) } }
        } catch {
            try await joinNodes()
            throw error
        }
        try await joinNodes()
    }

    /// On a thread that may wait.
    private func joinNodes() async throws {
        try await writer.runIfActive { [node] in node?.join() }
    }
}
