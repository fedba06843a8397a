import UnixSignals

/// Does work that is to be ended in order: SIGINT and SIGTERM cancel it, and once it has given up
/// they are thrown as `Signalled`. Work that is done all the same counts.
func endingOnSignal<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Ending<Value>.self) { group in
        group.addTask { .done(try await work()) }
        group.addTask {
            for await signal in signals { return .signal(signal) }
            throw CancellationError()
        }
        defer { group.cancelAll() }
        switch try await group.next() {
        case .done(let value): return value
        case .signal(let signal):
            group.cancelAll()
            guard case .done(let value) = try? await group.next() else { throw Signalled(signal: signal) }
            return value
        case nil: throw CancellationError()
        }
    }
}

/// The signal that ended work.
struct Signalled: Error {
    let signal: UnixSignal
}

/// What came first.
private enum Ending<Value: Sendable> {
    case done(Value)
    case signal(UnixSignal)
}
