package import Essentials
package import Foundation

/// Which secret keys a node works with: names made with the keys, which tell nothing of them.
package struct NodeKeys: Sendable, Equatable {
    /// Eight bytes.
    package let current: [UInt8]
    /// Eight bytes; nil without a previous key.
    package let previous: [UInt8]?

    package init(current: [UInt8], previous: [UInt8]?) {
        (self.current, self.previous) = (current, previous)
    }

    package init(_ key: SecretKey) {
        let names = key.macs(.limit, Array("name of a node's key".utf8)).map { Array($0.prefix(8)) }
        self.init(current: names.first ?? [], previous: names.dropFirst().first)
    }

    /// Whether a node with these keys opens what one with the others seals.
    package func open(whatSeals other: NodeKeys) -> Bool {
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
        filter { $0.isServing(at: now) && $0.node.keys.map(keys.open(whatSeals:)) == false }.map(\.node)
    }
}
