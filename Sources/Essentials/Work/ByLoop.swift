package import NIOCore
import Synchronization

/// A value for every event loop, made when it is asked for first.
package final class ByLoop<Value>: Sendable {
    private let make: @Sendable (any EventLoop) -> Value
    private let all = Mutex<[ObjectIdentifier: NIOLoopBound<Value>]>([:])

    package init(_ make: @escaping @Sendable (any EventLoop) -> Value) {
        self.make = make
    }

    /// To be called on the loop.
    package func value(of loop: any EventLoop) -> Value {
        all.withLock { all in
            if let value = all[ObjectIdentifier(loop)] { return value }
            let value = NIOLoopBound(make(loop), eventLoop: loop)
            all[ObjectIdentifier(loop)] = value
            return value
        }.value
    }
}
