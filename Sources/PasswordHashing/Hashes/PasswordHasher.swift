import Bytes
public import Logging
import Synchronization

/// Makes and checks Argon2id hashes on threads of its own, never on an event loop or Swift's
/// cooperative pool. Whatever else takes long about passwords waits in the same line.
public final class PasswordHasher: Sendable {
    private let parameters: Argon2Parameters
    private let kernel = KernelChoice()
    /// Stands where there is no hash, so that reading one costs the same; no password matches it.
    private let decoy: PasswordHash
    /// How hashes of cheaper parameters are brought to today's cost: those by libargon2, and those
    /// by the kernel.
    private let balances: (library: WorkBalance, kernel: WorkBalance)
    private let queue: HashingQueue
    private let threads: Int
    private let isStarted = Mutex(false)
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// The same with salts from `randomBytes`, which gets how many.
    package init(
        parameters: Argon2Parameters, threads: Int, queueLimit: Int,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        let threads = max(1, threads)
        self.parameters = parameters
        self.randomBytes = randomBytes
        decoy = PasswordHash(
            PasswordHashParts(
                parameters: parameters, salt: randomBytes(Argon2.saltBytes), tag: randomBytes(Argon2.tagBytes)))
        balances = (WorkBalance(today: parameters), WorkBalance(today: parameters))
        self.threads = threads
        queue = HashingQueue(threads: threads, limit: queueLimit)
    }

    /// Hashes on at least one thread, with salts from the operating system's generator. At most
    /// `queueLimit` hashes wait, so 0 refuses all. No thread runs before the first hash.
    public convenience init(parameters: Argon2Parameters = Argon2Parameters(), threads: Int, queueLimit: Int) {
        self.init(
            parameters: parameters, threads: threads, queueLimit: queueLimit, randomBytes: Randomness.system.bytes)
    }

    deinit {
        queue.stop()
    }

    /// Starts the threads, each with memory for one hash. Does nothing the second time.
    package func start() {
        let isFirst = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard isFirst else { return }
        for number in 0..<threads {
            HashingWorker.start(number, queue: queue, memoryBytes: parameters.memoryBytes)
        }
    }

    /// Looks for a kernel that hashes faster than libargon2, on a thread that ends with it.
    public func chooseKernel(among kernels: [Argon2Kernel] = Argon2Kernel.runningHere, logger: Logger) {
        let (kernel, check) = (kernel, KernelCheck(parameters: parameters))
        HashingWorker.startThread("kernel-check", memoryBytes: parameters.memoryBytes) {
            kernel.choose(among: kernels, check: check, logger: logger)
        }
    }

    /// How many hashes wait for a thread.
    var waiting: Int { queue.count }

    /// Hashes with a fresh salt; for a known browser before most others. Throws `HashingBusy`,
    /// `HashingStopped`, `CancellationError`, or `Argon2.Failure` where memory or parameters fail.
    public func hash(_ password: Password, client: String, isKnown: Bool = false) async throws -> PasswordHash {
        let (parameters, salt, kernel) = (parameters, randomBytes(Argon2.saltBytes), kernel)
        return try await enqueue(client: client, isKnown: isKnown) {
            let tag = try Argon2.tag(of: password, salt: salt, parameters: parameters, kernel: kernel.kernel)
            return PasswordHash(PasswordHashParts(parameters: parameters, salt: salt, tag: tag))
        }
    }

    /// Whether the password made the hash. Without a hash, or with a malformed one, it takes the
    /// time of a hash and returns false.
    ///
    /// A wrong password costs the same against a hash of older, cheaper parameters. One of costlier
    /// parameters takes longer, and so does a costlier hash of another system; that cannot be
    /// hidden short of slowing every login. The next right password replaces both. Throws as `hash`
    /// does.
    public func verify(
        _ password: Password, against hash: PasswordHash?, client: String, isKnown: Bool = false
    ) async throws -> Bool {
        let (parameters, balances, salt, choice) = (parameters, balances, randomBytes(Argon2.saltBytes), kernel)
        let decoy = decoy
        return try await enqueue(client: client, isKnown: isKnown) {
            // One for the whole check: what is spent on a wrong password must not change on the
            // way.
            let kernel = choice.kernel
            let check = PasswordCheck(
                password: password, parameters: parameters,
                balance: kernel == nil ? balances.library : balances.kernel, salt: salt, kernel: kernel
            )
            return try check.run(against: hash ?? decoy) && hash != nil
        }
    }

    /// Whether the hash was made otherwise than today's would be, or is malformed.
    public func needsRehash(_ hash: PasswordHash) -> Bool {
        guard let parts = hash.parts else { return true }
        return parts.parameters != parameters || parts.salt.count != Argon2.saltBytes
            || parts.tag.count != Argon2.tagBytes
    }

    /// Ends the threads; hashes that wait or come later throw `HashingStopped`.
    public func stop() {
        queue.stop()
    }

    /// Does the work on the hashing threads when it is the client's turn. Throws as `hash` does.
    package func enqueue<Value: Sendable>(
        client: String, isKnown: Bool = false, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        start()
        let (queue, id) = (queue, queue.newID())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = HashingJob(
                    id: id,
                    run: {
                        let result = Result(catching: work)
                        return { continuation.resume(with: result) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
                queue.add(job, client: client, isKnown: isKnown)
            }
        } onCancel: {
            queue.cancel(id, client: client)
        }
    }
}
