import Essentials
import Synchronization

/// What one thread, or all together, did.
struct Work: Sendable {
    var hashesPerSecond = 0.0
    var processorSeconds = 0.0
    var hashes = 0

    static func + (first: Work, second: Work) -> Work {
        Work(
            hashesPerSecond: first.hashesPerSecond + second.hashesPerSecond,
            processorSeconds: first.processorSeconds + second.processorSeconds, hashes: first.hashes + second.hashes)
    }
}

/// The work of several threads, or the first failure.
final class Total: Sendable {
    private let sum = Mutex<Result<Work, any Error>>(.success(Work()))

    var work: Work { get throws { try sum.withLock { $0 }.get() } }

    func add(_ part: Result<Work, any Error>) {
        sum.withLock { sum in sum = sum.flatMap { before in part.map { before + $0 } } }
    }
}
