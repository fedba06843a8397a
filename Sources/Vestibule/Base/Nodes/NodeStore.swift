package import Foundation

/// The store's part of telling which nodes serve.
package protocol NodeStore: Sendable {
    /// Notes that the node serves.
    func noteNode(_ node: Node, now: Date) async throws
    /// The node has stopped.
    func removeNode(id: String) async throws
    /// By name, those that were killed among them until housekeeping removes them.
    func nodes() async throws -> [NodeRecord]
}
