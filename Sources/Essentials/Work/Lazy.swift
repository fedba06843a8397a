import Synchronization

/// A value that is made once, when it is first asked for. Others who ask meanwhile block, so that
/// making it must be short.
package final class Lazy<Value: Sendable>: Sendable {
    private enum State {
        case unmade(@Sendable () throws -> Value)
        case made(Result<Value, any Error>)
    }

    private let state: Mutex<State>

    package init(_ make: @escaping @Sendable () throws -> Value) {
        state = Mutex(.unmade(make))
    }

    /// Nil before it was made, while it is being made, and when making it has failed.
    package var ifMade: Value? {
        let made = state.withLockIfAvailable { state -> Value? in
            guard case .made(let result) = state else { return nil }
            return try? result.get()
        }
        return made ?? nil
    }

    /// Throws what making it threw, every time.
    package func value() throws -> Value {
        try state.withLock { state in
            switch state {
            case .made(let result): return result
            case .unmade(let make):
                let result = Result(catching: make)
                state = .made(result)
                return result
            }
        }.get()
    }
}
