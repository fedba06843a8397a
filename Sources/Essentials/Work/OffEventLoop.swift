import NIOPosix

/// Runs work that takes milliseconds of processor time on NIO's threads for blocking work, so that
/// neither an event loop nor Swift's cooperative threads wait for it.
package func offEventLoop<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive { work() }
}
