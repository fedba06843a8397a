import Logging
import Synchronization

/// The kernel that hashes in place of libargon2, once its tags were compared with libargon2's.
final class KernelChoice: Sendable {
    private let chosen = Mutex<Argon2Kernel?>(nil)

    /// Nil while libargon2 hashes.
    var kernel: Argon2Kernel? { chosen.withLock { $0 } }

    /// Takes the first kernel that passes the check and logs which; one that does not is logged as
    /// an error.
    func choose(among kernels: [Argon2Kernel], check: KernelCheck, logger: Logger) {
        let found = kernels.first { passes($0, check, logger) }
        chosen.withLock { $0 = found }
        logger.notice(
            "argon2_kernel", metadata: ["event": "argon2_kernel", "kernel": "\(found?.name ?? "libargon2")"])
    }

    private func passes(_ kernel: Argon2Kernel, _ check: KernelCheck, _ logger: Logger) -> Bool {
        do {
            if try check.passes(kernel) { return true }
            logger.error(
                "an Argon2id kernel differs from libargon2 and is not used",
                metadata: ["event": "argon2_kernel_differs", "kernel": "\(kernel.name)"])
        } catch {
            logger.error(
                "an Argon2id kernel could not be checked and is not used",
                metadata: ["event": "argon2_kernel_unchecked", "kernel": "\(kernel.name)", "code": "\(error.code)"])
        }
        return false
    }
}
