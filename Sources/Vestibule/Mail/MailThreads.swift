import NIOPosix

/// Runs what blocks (files, libcurl) on NIO's threads for it: event loops and Swift's cooperative threads never wait.
enum MailThreads {
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
