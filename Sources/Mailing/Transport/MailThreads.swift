import Foundation
import NIOPosix

/// Runs what blocks elsewhere than on event loops and Swift's cooperative threads, which never
/// wait.
enum MailThreads {
    /// Opens a session and uses it, on a thread of its own, for what may take half a minute:
    /// NIO's few threads are for files. Returns after the work, and closes the session then: what a
    /// server answers to QUIT matters to nobody, and may take as long again.
    static func runAlone<Session>(
        opening open: @escaping @Sendable () throws(MailFailure) -> Session,
        _ work: @escaping @Sendable (Session) throws(MailFailure) -> Void
    ) async throws(MailFailure) {
        let outcome = await withCheckedContinuation { continuation in
            let thread = Thread {
                let session = Result(catching: open)
                continuation.resume(returning: Result { () throws(MailFailure) in try work(session.get()) })
                withExtendedLifetime(session) {}
            }
            thread.name = "mail"
            thread.start()
        }
        try outcome.get()
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
