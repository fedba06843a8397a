import Bytes

/// What one Argon2id hash costs (RFC 9106 section 3.1); the defaults are OWASP's for one lane.
public struct Argon2Parameters: Sendable, Hashable {
    package let memoryKiB: Int
    package let iterations: Int
    package let parallelism: Int

    /// Nothing is checked before a password is hashed.
    public init(memoryKiB: Int = 19456, iterations: Int = 2, parallelism: Int = 1) {
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// Memory of one hash in bytes.
    package var memoryBytes: Int { memoryKiB * 1024 }

    /// Blocks written: hashing time is roughly proportional to it.
    var cost: Int { memoryKiB * iterations }

    /// Within what Argon2 defines and a stored hash may ask of a worker: 1 GiB, 64 passes, 64
    /// lanes.
    package var isUsable: Bool {
        (1...64).contains(parallelism) && (1...64).contains(iterations)
            && (8 * parallelism...1_048_576).contains(memoryKiB)
    }

    /// That share of the blocks of one hash of these parameters; `nil` for nothing.
    package func share(_ fraction: Double) -> Argon2Parameters? {
        let memory = Int(Double(memoryKiB) * min(fraction, 1))
        return memory >= 8 ? Argon2Parameters(memoryKiB: memory, iterations: iterations) : nil
    }

    /// What a hash of `cheaper` parameters lacks to write as many blocks as one of these; `nil` for
    /// nothing.
    func remainder(after cheaper: Argon2Parameters) -> Argon2Parameters? {
        let memory = (cost - cheaper.cost) / iterations
        return memory >= 8 ? Argon2Parameters(memoryKiB: memory, iterations: iterations) : nil
    }
}
