import Foundation
import NIOPosix

/// Runs what blocks elsewhere than on event loops and Swift's cooperative threads, which never
/// wait.
enum MailThreads {
    /// On a thread that ends with the work, for what may take half a minute: NIO's few threads are
    /// for files.
    static func runAlone<Value: Sendable>(
        _ work: @escaping @Sendable () throws(MailFailure) -> Value
    ) async throws(MailFailure) -> Value {
        let outcome = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: Result(catching: work)) }
            thread.name = "mail"
            thread.start()
        }
        return try outcome.get()
    }

    /// On NIO's threads for files.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(MailFailure) -> Value
    ) async throws(MailFailure) -> Value {
        let outcome: Result<Value, MailFailure>
        do {
            outcome = try await NIOThreadPool.singleton.runIfActive { Result(catching: work) }
        } catch {
            throw .temporary("stopped before the mail was handed over")
        }
        return try outcome.get()
    }
}
