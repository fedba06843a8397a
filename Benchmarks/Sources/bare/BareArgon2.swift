import CArgon2
import CDispatch
import Foundation
import Synchronization

/// libargon2 alone: Argon2id with the server's default parameters, each thread in memory of its own that it keeps.
enum BareArgon2 {
    /// What one thread, or all together, did.
    struct Work: Sendable {
        var hashesPerSecond = 0.0
        var processorSeconds = 0.0
        var hashes = 0
    }

    /// Hashes on that many threads for about that long.
    static func measure(threads: Int, seconds: Int) -> Work {
        let total = Total()
        let finished = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread {
                total.add(hash(for: .seconds(seconds)))
                finished.signal()
            }
        }
        for _ in 0..<threads { finished.wait() }
        return total.work.withLock { $0 }
    }

    private final class Total: Sendable {
        let work = Mutex(Work())

        func add(_ part: Work) {
            work.withLock { work in
                work.hashesPerSecond += part.hashesPerSecond
                work.processorSeconds += part.processorSeconds
                work.hashes += part.hashes
            }
        }
    }

    private static func hash(for duration: Duration) -> Work {
        // The first one pays for the pages of the memory that is kept.
        hashOnce()
        let (start, startOfWork) = (ContinuousClock.now, threadSeconds)
        var work = Work()
        while start.duration(to: .now) < duration {
            hashOnce()
            work.hashes += 1
        }
        work.processorSeconds = threadSeconds - startOfWork
        work.hashesPerSecond = Double(work.hashes) / (start.duration(to: .now) / .seconds(1))
        return work
    }

    private static func hashOnce() {
        var (tag, salt, password) = ([UInt8](repeating: 0, count: 32), [UInt8](1...16), Array("a password".utf8))
        let code = tag.withUnsafeMutableBufferPointer { tag in
            salt.withUnsafeMutableBufferPointer { salt in
                password.withUnsafeMutableBufferPointer { run(password: $0, salt: salt, into: tag) }
            }
        }
        precondition(code == ARGON2_OK.rawValue, "libargon2 answers \(code)")
    }

    private static func run(
        password: UnsafeMutableBufferPointer<UInt8>, salt: UnsafeMutableBufferPointer<UInt8>,
        into tag: UnsafeMutableBufferPointer<UInt8>
    ) -> Int32 {
        var context = argon2_context()
        (context.out, context.outlen) = (tag.baseAddress, UInt32(tag.count))
        (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
        (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
        (context.m_cost, context.t_cost, context.lanes, context.threads) = (19456, 2, 1, 1)
        context.version = ARGON2_VERSION_13.rawValue
        context.allocate_cbk = kept_memory
        context.free_cbk = keep_memory
        return argon2_ctx(&context, Argon2_id)
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
