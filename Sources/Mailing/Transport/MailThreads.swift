import Foundation
import NIOPosix

/// Runs what blocks elsewhere than on event loops and Swift's cooperative threads, which never
/// wait.
enum MailThreads {
    /// Opens a session and uses it, on a thread of its own, for what may take half a minute:
    /// NIO's few threads are for files. Returns after the work, and closes the session then: what a
    /// server answers to QUIT matters to nobody. While many are closing, returns when it is closed.
    static func runAlone<Session>(
        closing: ClosingSessions,
        opening open: @escaping @Sendable () throws(MailFailure) -> Session,
        _ work: @escaping @Sendable (Session) throws(MailFailure) -> Void
    ) async throws(MailFailure) {
        let outcome = await withCheckedContinuation { continuation in
            let isStarted = start {
                let outcome: Result<Void, MailFailure>
                let isEarly: Bool
                do {
                    let session = Result(catching: open)
                    outcome = Result { () throws(MailFailure) in try work(session.get()) }
                    isEarly = closing.begin()
                    if isEarly { continuation.resume(returning: outcome) }
                    withExtendedLifetime(session) {}
                }
                if isEarly { closing.end() } else { continuation.resume(returning: outcome) }
            }
            guard !isStarted else { return }
            continuation.resume(returning: .failure(.temporary("this machine has no thread left for a mail")))
        }
        try outcome.get()
    }

    /// Returns false where the system gives no thread, of which `Thread` says nothing.
    private static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        final class Work {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        let kept = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let fault = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
                return nil
            }, kept.toOpaque())
        guard fault == 0 else {
            kept.release()
            return false
        }
        pthread_detach(thread)
        return true
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
