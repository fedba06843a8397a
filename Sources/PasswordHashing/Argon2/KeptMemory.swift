import Bytes
import CArgon2Kernel
import Foundation

/// Memory a worker thread keeps for all its hashes, so none of them pays for fresh pages; freed
/// when the thread ends.
///
/// In huge pages where Linux has them to give: Argon2 reads all over its memory, and with small
/// ones a good part of its time is spent looking pages up. It hangs on the thread because
/// libargon2's allocation callbacks are handed no context.
package final class KeptMemory {
    private let start: UnsafeMutableRawPointer
    private let bytes: Int
    /// How many bytes from the start hold what hashes have left: they were lent since the last
    /// wipe.
    private var usedBytes = 0
    /// When it was given back last.
    private var usedAt = ContinuousClock.now
    /// How long after the last hash what it has left is wiped.
    static let patienceMilliseconds = 250
    private static let hugePageBytes = 2 << 20
    private static let cacheLineBytes = 64

    private init?(bytes: Int) {
        var start: UnsafeMutableRawPointer?
        guard posix_memalign(&start, Self.hugePageBytes, bytes) == 0, let start else { return nil }
        // Only advice: where there are none, ordinary pages serve as well. What is left over takes
        // those.
        madvise(start, bytes / Self.hugePageBytes * Self.hugePageBytes, MADV_HUGEPAGE)
        (self.start, self.bytes) = (start, bytes)
    }

    deinit {
        argon2_kernel_wipe(start, usedBytes)
        free(start)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { kept in
            if let kept { Unmanaged<KeptMemory>.fromOpaque(kept).release() }
        }
        precondition(result == 0, "no thread-specific key left")
        return key
    }()

    private static var ofThisThread: KeptMemory? {
        pthread_getspecific(key).map { Unmanaged<KeptMemory>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Reserves that many bytes for the calling thread, in place of those it had. Without memory
    /// the thread keeps none, and each hash borrows its own.
    package static func keep(bytes: Int) {
        release()
        if let kept = KeptMemory(bytes: bytes) { pthread_setspecific(key, Unmanaged.passRetained(kept).toOpaque()) }
    }

    /// Frees what the calling thread keeps.
    static func release() {
        guard let kept = pthread_getspecific(key) else { return }
        pthread_setspecific(key, nil)
        Unmanaged<KeptMemory>.fromOpaque(kept).release()
    }

    /// The thread's own memory if it is large enough, else fresh memory, aligned to a cache line.
    /// Returns nil if the system has none.
    static func borrow(bytes: Int) -> UnsafeMutableRawPointer? {
        if let kept = ofThisThread, kept.bytes >= bytes {
            kept.usedBytes = max(kept.usedBytes, bytes)
            return kept.start
        }
        return aligned_alloc(cacheLineBytes, (bytes + cacheLineBytes - 1) / cacheLineBytes * cacheLineBytes)
    }

    /// Takes back what was borrowed. Fresh memory is freed, its first `bytes` wiped before; the
    /// thread's own is wiped later, by `wipePiece` or `wipeIfUnused`.
    package static func giveBack(_ memory: UnsafeMutableRawPointer?, wiping bytes: Int) {
        guard let memory else { return }
        if let kept = ofThisThread, kept.start == memory {
            kept.usedAt = .now
            return
        }
        argon2_kernel_wipe(memory, bytes)
        free(memory)
    }

    /// Wipes the next 2 MiB of what hashes have left in the calling thread's memory. Returns
    /// whether more is left.
    static func wipePiece() -> Bool {
        guard let kept = ofThisThread, kept.usedBytes > 0 else { return false }
        let piece = min(kept.usedBytes, hugePageBytes)
        kept.usedBytes -= piece
        argon2_kernel_wipe(kept.start + kept.usedBytes, piece)
        return kept.usedBytes > 0
    }

    /// Wipes all that hashes have left in the calling thread's memory, if the last hash is longer
    /// ago than `patienceMilliseconds`: a thread that has other jobs in a row never goes idle.
    static func wipeIfUnused(at now: ContinuousClock.Instant = .now) {
        guard let kept = ofThisThread, kept.usedBytes > 0,
            now - kept.usedAt > .milliseconds(patienceMilliseconds)
        else { return }
        argon2_kernel_wipe(kept.start, kept.usedBytes)
        kept.usedBytes = 0
    }
}
