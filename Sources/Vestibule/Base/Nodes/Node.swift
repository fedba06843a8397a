package import Essentials
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
    /// store. So was one whose last sign of life lies further ahead than that.
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
        abs(now.timeIntervalSince(lastSeenAt)) <= Node.silentAfter
    }
}

/// Which secret keys a node works with, by their ids (`SecretKey.currentID`), which tell nothing of
/// them.
package struct NodeKeys: Sendable, Equatable {
    /// Four bytes.
    package let current: [UInt8]
    /// Four bytes; nil without a previous key.
    package let previous: [UInt8]?

    package init(current: [UInt8], previous: [UInt8]?) {
        (self.current, self.previous) = (current, previous)
    }

    package init(_ key: SecretKey) {
        self.init(current: key.currentID, previous: key.previousID)
    }

    /// Whether a node with these keys opens what one with the others seals.
    func open(sealedBy other: NodeKeys) -> Bool {
        other.current == current || other.current == previous
    }
}

extension [NodeRecord] {
    /// Those that serve and, as far as they have told, seal with another key than that.
    func sealing(otherwiseThan keys: NodeKeys, at now: Date) -> [Node] {
        filter { $0.isServing(at: now) && $0.node.keys?.current != keys.current }.map(\.node)
    }

    /// Those that serve and seal what a node with those keys cannot open.
    package func unknown(to keys: NodeKeys, at now: Date) -> [Node] {
        filter { $0.isServing(at: now) && $0.node.keys.map(keys.open(sealedBy:)) == false }.map(\.node)
    }

    /// Those that serve and cannot open what is sealed with those keys.
    package func unable(toOpen keys: NodeKeys, at now: Date) -> [Node] {
        filter { $0.isServing(at: now) && $0.node.keys?.open(sealedBy: keys) == false }.map(\.node)
    }
}

extension NodeStore {
    /// Whether there is a key before that one, and every node that serves seals with that one: one
    /// that does not know it could open nothing any more.
    func mayReseal(under key: SecretKey, at now: Date) async throws -> Bool {
        guard key.hasPrevious else { return false }
        return try await nodes().sealing(otherwiseThan: NodeKeys(key), at: now).isEmpty
    }
}

/// The store's part of telling which nodes serve.
package protocol NodeStore: Sendable {
    /// Notes that the node serves.
    func noteNode(_ node: Node, now: Date) async throws
    /// The node has stopped.
    func removeNode(id: String) async throws
    /// By name, those that were killed among them until housekeeping removes them.
    func nodes() async throws -> [NodeRecord]
}
