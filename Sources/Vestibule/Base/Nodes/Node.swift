package import Foundation

/// A server that serves the site: one of those that share a store.
package struct Node: Sendable, Equatable {
    /// Another one after each start.
    package let id: String
    /// What an operator knows it by: machine and port.
    package let name: String
    /// Of the program.
    package let version: String
    package let startedAt: Date
    /// Nil if it has not told.
    package let keys: NodeKeys?

    package init(id: String, name: String, version: String, startedAt: Date, keys: NodeKeys? = nil) {
        (self.id, self.name, self.version, self.startedAt, self.keys) = (id, name, version, startedAt, keys)
    }

    /// In seconds. One that has not been seen for longer than that was killed, or cannot reach the
    /// store.
    package static let silentAfter: TimeInterval = 90
}

/// A node as the store knows it.
package struct NodeRecord: Sendable, Equatable {
    package let node: Node
    package let lastSeenAt: Date

    package init(node: Node, lastSeenAt: Date) {
        (self.node, self.lastSeenAt) = (node, lastSeenAt)
    }

    package func isServing(at now: Date) -> Bool {
        now.timeIntervalSince(lastSeenAt) <= Node.silentAfter
    }
}
