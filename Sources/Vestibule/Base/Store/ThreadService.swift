import Logging
import PasswordHashing
import ServiceLifecycle

/// Starts the threads that hash and those that call providers when the application runs, and ends
/// them with it.
struct ThreadService: Service, CustomStringConvertible {
    let hasher: PasswordHasher
    let kernels: [Argon2Kernel]
    let providers: Providers
    let logger: Logger
    /// For the log, which would print every part otherwise.
    var description: String { "ThreadService" }

    func run() async throws {
        hasher.start()
        providers.start()
        hasher.chooseKernel(among: kernels, logger: logger)
        try? await gracefulShutdown()
        hasher.stop()
        providers.stop()
    }
}
