import UnixSignals

/// Does work that is to be ended in order: SIGINT and SIGTERM cancel it, and once it has given up
/// they are thrown as `Signalled`. Work that is done all the same counts.
func endingOnSignal<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await signal in signals { throw Signalled(signal: signal) }
            return nil
        }
        defer { group.cancelAll() }
        do {
            while let first = try await group.next() { if let first { return first } }
            throw CancellationError()
        } catch let end as Signalled {
            group.cancelAll()
            guard let value = try? await group.next() ?? nil else { throw end }
            return value
        }
    }
}

/// The signal that ended work.
struct Signalled: Error {
    let signal: UnixSignal

    var kind: CommandFailure.Kind { signal == .sigint ? .interrupted : .terminated }
}
