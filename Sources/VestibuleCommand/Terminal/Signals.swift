import Foundation
import UnixSignals

/// Does work that is to be ended in order: SIGINT and SIGTERM cancel it, and once it has given up a
/// `CommandFailure` says that they came first. Work that is done all the same counts.
func endingOnSignal<Value: Sendable>(
    _ undone: String, hint: String, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await signal in signals {
                throw CommandFailure(
                    signal == .sigint ? .interrupted : .terminated, "\(undone): \(signal) came first", hint: hint)
            }
            return nil
        }
        defer { group.cancelAll() }
        do {
            while let first = try await group.next() { if let first { return first } }
            throw CancellationError()
        } catch {
            group.cancelAll()
            guard let value = try? await group.next() ?? nil else { throw error }
            return value
        }
    }
}

/// Does work that may end at any moment: SIGINT and SIGTERM end the process, also where they were
/// trapped before. Afterwards the former handlers are back.
func endedBySignal<Value>(_ work: () throws -> Value) rethrows -> Value {
    let trapped = [SIGINT, SIGTERM].map { ($0, signal($0, SIG_DFL)) }
    // Dispatch installs its handlers only once: a server would no longer stop in order.
    defer { for (number, handler) in trapped { signal(number, handler) } }
    return try work()
}
