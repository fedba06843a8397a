package import Essentials
package import Foundation

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
    package func open(sealedBy other: NodeKeys) -> Bool {
        other.current == current || other.current == previous
    }
}

extension [NodeRecord] {
    /// Those that serve and, as far as they have told, seal with another key than that.
    package func sealing(otherwiseThan keys: NodeKeys, at now: Date) -> [Node] {
        filter { $0.isServing(at: now) && $0.node.keys?.current != keys.current }.map(\.node)
    }

    /// Those that serve and seal what a node with those keys cannot open.
    package func unknown(to keys: NodeKeys, at now: Date) -> [Node] {
        filter { $0.isServing(at: now) && $0.node.keys.map(keys.open(sealedBy:)) == false }.map(\.node)
    }
}
